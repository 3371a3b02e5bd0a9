import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, runCommand } from './command.ts';
import { openInvoker, requireFunction } from './invoker.ts';
import { samCommand, samTemplate } from './sam-template.ts';
import { StartFailure } from './start-failure.ts';

const help = `npm run events -- <function> [--sam]

Prints the sample event of a function: the event that npm run invoke calls it with. Its account and keys are those of the running stack; other
ids are made up.

  --sam               Also writes the event and a template with this one function to <data directory>/sam, and prints how sam calls it in a
                      container with the emulators of the running stack. That needs Docker and the SAM CLI.
`;

export const eventsCommand = commandOf({
  help,
  options: { sam: { type: 'boolean', default: false } },
  run: async ({ values, positionals: [name, ...others], dataDirectory, print }) => {
    if (name === undefined || others.length > 0)
      throw new StartFailure('Name one function: npm run events -- <function>');
    requireFunction(name);
    const { eventOf, functionOf, environment } = openInvoker(dataDirectory);
    const event = eventOf(name);
    if (!values.sam) {
      print(event.trimEnd(), JSON.parse(event));
      return 0;
    }
    const folder = join(dataDirectory, 'sam', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'event.json'), event);
    writeFileSync(join(folder, 'template.json'), JSON.stringify(samTemplate(functionOf(name), environment), null, 2));
    const command = samCommand(name, folder, environment);
    print(command, { folder, command });
    return 0;
  },
});

if (import.meta.main) await runCommand(eventsCommand);
