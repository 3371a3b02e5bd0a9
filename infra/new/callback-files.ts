import type { Plan } from './plan.ts';

/** The files of a callback of a provider, by their names: it has no contract, because the provider's own documents are that. */
export const callbackFilesOf = ({ method, path, verb }: Plan): Readonly<Record<string, string>> => ({
  'handler.ts': `import type { CallbackOutcome, CallbackRequest } from '../../../shared/http/callback.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';

/** Nothing in the request is trusted before its signature or token is verified. */
export const ${verb} = async (_request: CallbackRequest): Promise<CallbackOutcome> => {
  throw new InternalError('this callback is not written yet');
};
`,
  'main.ts': `import { addressLimit, callbacksOfAddress } from '../../../shared/http/address-limit.ts';
import { callback } from '../../../shared/http/callback.ts';
import * as live from '../../../shared/live.ts';
import { ${verb} } from './handler.ts';

export const handler = callback(${verb}, addressLimit(live.rates(), callbacksOfAddress));
`,
  'handler.test.ts': `import { describe, expect, it } from 'vitest';
import { callback } from '../../../shared/http/callback.ts';
import { callBack, unlimited } from '../../../shared/http/callback-fixture.ts';
import { ${verb} } from './handler.ts';

describe('${method} ${path}', () => {
  it('200 hears what is genuine', async () => {
    expect(await callBack(callback(${verb}, unlimited), {})).toMatchObject({ status: 200, text: 'heard' });
  });
});
`,
});
