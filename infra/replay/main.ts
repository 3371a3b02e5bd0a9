import { commandOf, runCommand } from '../local/command.ts';
import { replayCommand } from './replay.ts';

await runCommand(commandOf(replayCommand));
