import { commandOf, runCommand } from './command.ts';
import { openInvoker, requireFunction } from './invoker.ts';
import { StartFailure } from './start-failure.ts';

const help = `npm run invoke -- <function> [event.json]

Calls one function of the running stack and prints its answer, with the event of the file, or else with its sample event.

`;

export const invokeCommand = commandOf({
  help,
  options: {},
  run: async ({ positionals: [name, eventFile, ...others], dataDirectory, print }) => {
    if (name === undefined || others.length > 0)
      throw new StartFailure('Name one function: npm run invoke -- <function> [event.json]');
    requireFunction(name);
    const { ok, payload } = await openInvoker(dataDirectory).invoke(name, eventFile);
    print(JSON.stringify(payload, null, 2), { ok, payload });
    return ok ? 0 : 1;
  },
});

if (import.meta.main) await runCommand(invokeCommand);
