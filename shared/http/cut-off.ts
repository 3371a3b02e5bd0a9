import type { Context } from 'aws-lambda';
import { Unavailable } from '../kit/fault.ts';

/** What Lambda says of a run's time. */
export type LambdaTime = Pick<Context, 'getRemainingTimeInMillis'>;

/** A function was about to be cut off. Its calls may continue for a moment. */
export class TimedOut extends Unavailable<'the function ran out of time'> {
  constructor() {
    super('the function ran out of time', { retryAfterSeconds: 2 });
  }
}

/** Lambda cuts a function off without an answer. Answering this much earlier keeps the form of the answer. */
const earlyMs = 250;

/**
 * The result of `work`, unless Lambda's timeout comes first.
 * @throws TimedOut
 */
export const beforeCutOff = async <Result>(context: LambdaTime, work: () => Promise<Result>): Promise<Result> => {
  const cutOff = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => cutOff.reject(new TimedOut()),
    Math.max(0, context.getRemainingTimeInMillis() - earlyMs),
  );
  try {
    return await Promise.race([work(), cutOff.promise]);
  } finally {
    clearTimeout(timer);
  }
};
