import { Fault } from '../kit/fault.ts';
import { grouped } from '../kit/grouped.ts';
import { dayMinutes } from '../kit/time.ts';

/** How much one account, or one person, may cause in a time, whatever its keys. */
export interface Allowance {
  readonly of: string;
  readonly most: number;
  readonly windowMinutes: number;
  readonly said: string;
}

/** How a window of so many minutes is called. */
const windows: Readonly<Record<number, string>> = { 1: 'a minute', 60: 'an hour', [dayMinutes]: 'a day' };

const allowance = (of: string, most: number, windowMinutes: number, verb: string): Allowance => ({
  of,
  most,
  windowMinutes,
  said: `An account may ${verb} ${grouped(most)} ${of} ${windows[windowMinutes]}`,
});

export const exportsOfAccount = allowance('exports', 60, 60, 'start');
/** Each is looked at for an hour while it waits for its file, and takes millions of rows. */
export const importsOfAccount = allowance('imports', 300, 60, 'start');
/** Each keeps a function waiting for its target, ten seconds at most. */
export const testsOfAccount = allowance('webhook tests', 120, 1, 'send');
export const replaysOfAccount = allowance('deliveries', 10_000_000, dayMinutes, 'replay');

export interface Allowances {
  /** Counts so many of this subject. Returns its count in the window. */
  count(
    subject: string,
    nowMs: number,
    counted: { readonly calls: number; readonly windowMinutes: number },
  ): Promise<number>;
}

/**
 * Counts what one is about to cause. What is refused does not count.
 * @throws Fault `rate_limited`, with the time until the next window
 */
export const spend = async (
  rates: Allowances,
  { of, most, windowMinutes, said }: Allowance,
  { id }: { readonly id: string },
  nowMs: number,
  calls = 1,
): Promise<void> => {
  const subject = `${of} ${id}`;
  if ((await rates.count(subject, nowMs, { calls, windowMinutes })) <= most) return;
  await rates.count(subject, nowMs, { calls: -calls, windowMinutes });
  const windowMs = windowMinutes * 60_000;
  throw new Fault('rate_limited', `${said}. Wait for the number of seconds in Retry-After.`, {
    retryAfterSeconds: Math.ceil((windowMs - (nowMs % windowMs)) / 1_000),
  });
};
