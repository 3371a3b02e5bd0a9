import * as z from 'zod';
import { commandOf, runCommand } from './command.ts';
import { durationWords } from './duration.ts';
import { StartFailure } from './start-failure.ts';
import { skipWords } from './terminal.ts';

const help = `npm run skip -- <how long>

Moves the clock of the running stack ahead: schedules, delayed and retried jobs, expiry of everything, quiet hours and TTL.
What is due by then happens at once: what is due in the next minute, then all else, each thing once. What follows from it counts
from the new time: a webhook delivery that fails again waits for its next delay. The clock moves only forward, and a restart keeps it;
--fresh of npm start sets it back, and deletes the data.

  90s, 15m, 1h, 2d, 1d12h    How long
  2027-01-31T09:00:00Z       Or until when
  (nothing)                  Prints the time of the stack

`;

const clock = z.object({ now: z.string(), aheadSeconds: z.number() });
const skipped = clock.extend({
  skippedSeconds: z.number(),
  isComplete: z.boolean(),
  due: z.object({ schedules: z.number(), jobs: z.number(), expiredItems: z.number() }),
});

export const skipCommand = commandOf({
  help,
  options: {},
  run: async ({ positionals: [howLong, ...others], stack, print, warn }) => {
    if (others.length > 0) throw new StartFailure('Write the time as one word: npm run skip -- 1d12h');
    const url = `${stack().inboxUrl}/clock`;
    if (howLong === undefined) {
      const read = clock.parse(await (await fetch(url)).json());
      print(`It is ${read.now}, ${durationWords(read.aheadSeconds)} ahead of this machine.`, read);
      return 0;
    }
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ skip: howLong }) });
    if (!answer.ok) throw new StartFailure(await answer.text());
    const done = skipped.parse(await answer.json());
    print(`${skipWords(done)}\nThe clock is ${durationWords(done.aheadSeconds)} ahead of this machine.`, done);
    if (!done.isComplete) warn('Functions kept running, so only the first minute was skipped. Try again.');
    return done.isComplete ? 0 : 1;
  },
});

if (import.meta.main) await runCommand(skipCommand);
