import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jsonIn } from '../../shared/kit/json-in.ts';
import { byDistance } from '../nearest-names.ts';
import type { FunctionSpec } from './blueprint.ts';
import { assemblyFolder } from './data-directory.ts';
import { environmentFor } from './environment.ts';
import { account } from './local-region.ts';
import { placedAt, readBlueprint } from './read-blueprint.ts';
import { findRunningStack } from './running-stack.ts';
import { StartFailure } from './start-failure.ts';

const mostNamed = 3;

/** A function's answer or, when it failed, its error: `{ errorType, errorMessage }`. */
export interface Invoked {
  readonly ok: boolean;
  readonly payload: unknown;
}

const noFunction = (name: string, names: readonly string[]): StartFailure => {
  const nearest = byDistance(name, names).slice(0, mostNamed).join(', ');
  return new StartFailure(
    `There is no function ${name}. The nearest names are ${nearest}; all are those of the files in events/.`,
  );
};

/**
 * Needs no stack: a name that is wrong is reported first.
 * @throws StartFailure when there is no such function
 */
export const requireFunction = (name: string): void => {
  const names = readdirSync('events').map((file) => basename(file, '.json'));
  if (!names.includes(name)) throw noFunction(name, names);
};

/**
 * Calls single functions of the stack that runs with this data directory, with sample events.
 * @throws StartFailure when no stack runs with it
 */
export const openInvoker = (dataDirectory: string) => {
  const stack = findRunningStack(dataDirectory);
  const blueprint = placedAt(readBlueprint(join(dataDirectory, assemblyFolder)), {
    queueUrl: (queue) => `${stack.aws['sqs']}/${account}/${queue}`,
    apiUrl: new URL(stack.apiBaseUrl).origin,
  });

  /** @throws StartFailure when there is no such function */
  const functionOf = (name: string): FunctionSpec => {
    const found = blueprint.functions.find((each) => each.name === name);
    if (found) return found;
    const names = blueprint.functions.map((each) => each.name);
    throw noFunction(name, names);
  };

  /**
   * A sample event with the account and the keys of the stack, as text. Other ids in it are made up.
   * @throws StartFailure when there is no such function, no such file, or no JSON in it
   */
  const eventOf = (name: string, eventFile = join('events', `${name}.json`)): string => {
    functionOf(name);
    if (!existsSync(eventFile)) throw new StartFailure(`There is no event file ${eventFile}.`);
    const event = readFileSync(eventFile, 'utf8')
      .replaceAll('{{accountId}}', stack.accountId)
      .replaceAll('{{key}}', stack.keys.messaging)
      .replaceAll('{{checkoutKey}}', stack.keys.checkoutSecretTest)
      .replaceAll('{{adminToken}}', stack.adminToken);
    if (jsonIn(event) === undefined) throw new StartFailure(`${eventFile} is not JSON.`);
    return event;
  };

  return {
    functionOf,
    eventOf,

    /** @throws StartFailure as `eventOf` does */
    invoke: async (name: string, eventFile?: string): Promise<Invoked> => {
      const url = `${stack.aws['lambda']}/2015-03-31/functions/${name}/invocations`;
      const answer = await fetch(url, { method: 'POST', body: eventOf(name, eventFile) });
      return { ok: !answer.headers.has('x-amz-function-error'), payload: await answer.json() };
    },

    /** Where the AWS SDK finds the emulators of the stack. */
    environment: environmentFor(
      Object.fromEntries(Object.entries(stack.aws).filter(([, url]) => url.startsWith('http:'))),
    ),
  };
};
