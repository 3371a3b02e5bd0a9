import { runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { deployedPlace, localPlace } from './place.ts';
import { switchesOf } from './switches.ts';

const help = `npm run sending -- <what> [--stage prod]

Stops all messages at once, for example after a leaked key. Nothing accepted is lost, and nothing is charged for what is refused.

  state     Says what is sent, and what is paused
  pause     Emails are refused with 503 and Retry-After; texts and scheduled messages are accepted and wait
  resume    Sends again, and what waited too

  --dry-run           Of pause and resume: only says what would change
  --stage prod        A deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
`;

const standing = (isOn: boolean): string => (isOn ? 'are sent' : 'are paused');

await runCommand({
  help,
  options: { 'dry-run': { type: 'boolean', default: false }, stage: { type: 'string' } },
  run: async ({ values: { stage, 'dry-run': isDryRun }, positionals: [what = '', ...others], stack, print }) => {
    if (!['state', 'pause', 'resume'].includes(what) || others.length > 0)
      throw new StartFailure(
        `${what === '' ? 'Say what to do' : `${what} is not known`}. --help shows what can be done.`,
      );
    for (const { of, isOn, turn } of switchesOf(stage === undefined ? localPlace(stack()) : deployedPlace(stage))) {
      const before = await isOn();
      const wanted = what === 'state' ? before : what === 'resume';
      if (wanted === before) print(`${of} ${standing(before)}`, { of, isOn: before });
      else if (isDryRun) print(`${of} ${standing(before)}, and would not be`, { of, isOn: before, isDryRun });
      else {
        await turn(wanted);
        print(`${of} ${standing(wanted)} now`, { of, isOn: wanted });
      }
    }
    return 0;
  },
});
