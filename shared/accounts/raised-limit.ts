import * as z from 'zod';
import { Fault } from '../kit/fault.ts';
import { grouped } from '../kit/grouped.ts';
import { defaultRateLimitPerMinute } from './api-key.ts';

/** The limit of a key that is made. */
export const keyLimit = z
  .int()
  .min(1)
  .max(1_000_000)
  .default(defaultRateLimitPerMinute)
  .describe('Only an operator of the platform may set more than the default.');

/**
 * An account may slow its own keys down, and only an operator may give one more than its share.
 * @throws Fault `forbidden_scope` where a member would raise the limit of a key
 */
export const refuseRaisedLimit = (
  caller: { readonly isOperator: boolean },
  { rateLimitPerMinute }: { readonly rateLimitPerMinute: number },
): void => {
  if (!caller.isOperator && rateLimitPerMinute > defaultRateLimitPerMinute)
    throw new Fault(
      'forbidden_scope',
      `rateLimitPerMinute: only an operator of the platform may set more than ${grouped(defaultRateLimitPerMinute)}`,
    );
};
