import { type CommandInput, commandOf, runCommand, userMessageOf } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { type Switch, switchesOf } from './switches.ts';
import { deployedTarget, localTarget } from './target.ts';

const help = `npm run sending -- <what> [--stage prod]

Stops all messages at once, for example after a leaked key. Nothing accepted is lost, and nothing is charged for what is refused.

  state     Says what is sent, and what is paused
  pause     Emails are refused with 503 and Retry-After; texts and scheduled messages are accepted and wait
  resume    Sends again, also what waited

  --dry-run           Of pause and resume: only says what would change
  --stage prod        A deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
`;

const hint = '--help shows what can be done.';
const standings = { on: 'are sent', off: 'are paused' } as const;

const standingOf = async ({ isAt }: Switch): Promise<string> => {
  if (await isAt(true)) return standings.on;
  return (await isAt(false)) ? standings.off : 'are paused in part';
};

/** @throws StartFailure when the arguments are not one action */
const checkAction = (what: string, others: readonly string[]): void => {
  if (others.length > 0) throw new StartFailure(`Name only one action. ${hint}`);
  if (what === '') throw new StartFailure(`Name an action: state, pause or resume. ${hint}`);
  if (!['state', 'pause', 'resume'].includes(what)) throw new StartFailure(`Unknown action: ${what}. ${hint}`);
};

interface Wish {
  readonly what: string;
  readonly isDryRun: boolean;
  readonly print: CommandInput<unknown>['print'];
}

/** Looks at one switch or turns it, and says so. */
const act = async (one: Switch, { what, isDryRun, print }: Wish): Promise<void> => {
  const { of } = one;
  const isOn = what === 'resume';
  const standing = await standingOf(one);
  if (what === 'state' || (await one.isAt(isOn))) print(`${of} ${standing}`, { of, isOn: await one.isAt(true) });
  else if (isDryRun)
    print(`${of} ${standing}; they would be ${isOn ? 'sent' : 'paused'}`, {
      of,
      isOn: await one.isAt(true),
      isDryRun,
    });
  else {
    await one.turn(isOn);
    print(`${of} ${standings[isOn ? 'on' : 'off']} now`, { of, isOn });
  }
};

export const sendingCommand = commandOf({
  help,
  options: { 'dry-run': { type: 'boolean', default: false }, stage: { type: 'string' } },
  run: async ({ values: { stage, 'dry-run': isDryRun }, positionals: [what = '', ...others], stack, print, warn }) => {
    checkAction(what, others);
    const failures: unknown[] = [];
    // In an emergency, what one switch refuses must not leave the others as they are.
    for (const one of switchesOf(stage === undefined ? localTarget(stack()) : deployedTarget(stage)))
      await act(one, { what, isDryRun, print }).catch((thrown: unknown) => {
        failures.push(thrown);
        warn(`${one.of}: ${userMessageOf(thrown) ?? 'failed'}`);
      });
    for (const thrown of failures) if (userMessageOf(thrown) === undefined) throw thrown;
    return failures.length === 0 ? 0 : 1;
  },
});

if (import.meta.main) await runCommand(sendingCommand);
