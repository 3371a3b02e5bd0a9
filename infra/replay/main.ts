import { replay } from './replay.ts';

process.exitCode = await replay(process.argv.slice(2), {
  line: (text) => process.stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
});
