import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemblyFolder } from './data-directory.ts';
import { readBlueprint } from './read-blueprint.ts';
import { findRunningStack } from './running-stack.ts';
import { StartFailure } from './start-failure.ts';

/** A function's answer or, when it failed, its error: `{ errorType, errorMessage }`. */
export interface Invoked {
  readonly ok: boolean;
  readonly payload: unknown;
}

/**
 * Calls single functions of the stack that runs with this data directory, with sample events.
 * @throws StartFailure when no stack runs with it
 */
export const openInvoker = (dataDirectory: string) => {
  const stack = findRunningStack(dataDirectory);
  const blueprint = readBlueprint(join(dataDirectory, assemblyFolder), {
    queueUrl: (queue) => `${stack.aws['sqs']}/000000000000/${queue}`,
    apiUrl: new URL(stack.apiBaseUrl).origin,
  });
  const names = blueprint.functions.map(({ name }) => name);

  /** @throws StartFailure when there is no such function, or no such file */
  return async (name: string, eventFile: string): Promise<Invoked> => {
    if (!names.includes(name)) {
      throw new StartFailure(`There is no function ${name}. The functions are: ${names.join(', ')}`);
    }
    if (!existsSync(eventFile)) throw new StartFailure(`There is no event file ${eventFile}.`);
    const event = readFileSync(eventFile, 'utf8')
      .replaceAll('{{accountId}}', stack.accountId)
      .replaceAll('{{key}}', stack.keys.messaging)
      .replaceAll('{{checkoutKey}}', stack.keys.checkoutSecretTest);
    const url = `${stack.aws['lambda']}/2015-03-31/functions/${name}/invocations`;
    const answer = await fetch(url, { method: 'POST', body: event });
    return { ok: !answer.headers.has('x-amz-function-error'), payload: await answer.json() };
  };
};
