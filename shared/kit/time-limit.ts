import { AsyncLocalStorage } from 'node:async_hooks';
import { Unavailable } from './fault.ts';

const ends = new AsyncLocalStorage<number>();

/**
 * Runs `work`, which may call other services until an instant. Lambda freezes a function that has answered, and lets what it left unfinished go on
 * with the next request, minutes later. What is left then ends at its next call, as if its process had died: else it could send what was given up
 * meanwhile.
 */
export const withinTime = <Result>(endMs: number, work: () => Result): Result => ends.run(endMs, work);

/** Runs work whose result other requests wait for too: it does not end with the one that began it. */
export const forAll = <Result>(work: () => Result): Result => ends.exit(work);

/**
 * Asked right before a call of another service.
 * @throws Unavailable
 */
export const assertInTime = (): void => {
  if (Date.now() > (ends.getStore() ?? Number.POSITIVE_INFINITY))
    throw new Unavailable('the time of the request is over');
};
