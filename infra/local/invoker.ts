import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { environmentFor } from './environment.ts';
import { type Invocation, startFunctions } from './functions.ts';
import { readBlueprint } from './read-blueprint.ts';
import { StartFailure } from './start-failure.ts';

const stackFile = z.object({
  apiBaseUrl: z.string(),
  accountId: z.string(),
  keys: z.object({ messaging: z.string(), checkoutSecretTest: z.string() }),
  aws: z.record(z.string(), z.string()),
});

/**
 * Runs single functions of the templates with sample events, against the stack that runs with this data directory.
 * @throws StartFailure when no stack runs with it
 */
export const openInvoker = (dataDirectory: string) => {
  const stackPath = join(dataDirectory, 'stack.json');
  if (!existsSync(stackPath))
    throw new StartFailure(`No stack is running with ${dataDirectory}. Start it first: npm start`);
  const stack = stackFile.parse(JSON.parse(readFileSync(stackPath, 'utf8')));
  const blueprint = readBlueprint(join(dataDirectory, 'cdk.out'), {
    queueUrl: (queue) => `${stack.aws['sqs']}/000000000000/${queue}`,
    apiUrl: new URL(stack.apiBaseUrl).origin,
  });
  const functions = startFunctions(blueprint.functions, {
    environment: environmentFor(stack.aws),
    logDirectory: join(dataDirectory, 'logs'),
  });

  return {
    /** @throws StartFailure when there is no such function, or no such file */
    run: async (name: string, eventFile: string): Promise<Invocation> => {
      const names = blueprint.functions.map((one) => one.name);
      if (!names.includes(name)) {
        throw new StartFailure(`There is no function ${name}. The functions are: ${names.join(', ')}`);
      }
      if (!existsSync(eventFile)) throw new StartFailure(`There is no event file ${eventFile}.`);
      const event: unknown = JSON.parse(
        readFileSync(eventFile, 'utf8')
          .replaceAll('{{accountId}}', stack.accountId)
          .replaceAll('{{key}}', stack.keys.messaging)
          .replaceAll('{{checkoutKey}}', stack.keys.checkoutSecretTest),
      );
      return functions.invoke(name, event);
    },
    close: () => functions.close(),
  };
};
