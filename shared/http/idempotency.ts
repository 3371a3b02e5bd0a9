import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Fault } from '../kit/fault.ts';
import { InternalError } from '../kit/internal-error.ts';
import { causeOf, log } from '../kit/log.ts';
import { characters } from '../kit/text.ts';
import type { Contract } from './contract.ts';
import { TimedOut } from './cut-off.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';
import type { Step } from './visit.ts';

export const longestKey = 255;

/** More than the clock difference of two machines. */
const clockSkewMs = 1_000;

/**
 * A repeated request with the same key repeats the answer, not the effect (messaging specification, "Idempotency"). A `Fault` of the first request
 * frees the key, because then nothing was written, and so does an error after which all of it was taken back. After any other error something may
 * have been written: the claim ends, and a retry finds it by the same id. A function that was cut off keeps its claim until it can no longer be running.
 */
export const replaying = <C extends Contract, Who>(idempotencyKeys: IdempotencyKeys<Who>): Step<C, Who> => ({
  before: async ({ event }) => {
    const { who, idempotencyKey: key, newId, nowMs } = event;
    if (key === undefined) return;
    const wanted = { key, endpoint: event.routeKey, newId, endsMs: event.deadlineMs + clockSkewMs };
    const outcome = await idempotencyKeys.claim(who, wanted, nowMs);
    if (outcome.kind === 'in-flight')
      throw conflict('A request with this Idempotency-Key is in progress; repeat it later.');
    if (outcome.kind === 'other-endpoint') throw conflict('This Idempotency-Key was used on another endpoint.');
    if (outcome.kind === 'replay') {
      event.replay = outcome.reply;
    } else {
      event.claim = outcome.claim;
      event.newId = outcome.claim.newId;
    }
  },
  after: async ({ event: { who, claim }, response }) => {
    if (!claim || !response) return;
    const reply = { status: response.statusCode, body: response.body ?? '' };
    await idempotencyKeys
      .complete(who, claim, reply)
      .catch((thrown: unknown) => {
        leaveToExpire(thrown);
        return idempotencyKeys.end(who, claim);
      })
      .catch(leaveToExpire);
  },
  onError: async ({ event: { who, claim }, error }) => {
    if (!claim || error instanceof TimedOut) return;
    const isUndone = error instanceof InternalError ? error.isUndone : error instanceof Fault;
    const hasWrittenNothing = isUndone && !claim.isResumed;
    await (hasWrittenNothing ? idempotencyKeys.release(who, claim) : idempotencyKeys.end(who, claim)).catch(
      leaveToExpire,
    );
  },
});

const leaveToExpire = (thrown: unknown): void =>
  log('error', 'an idempotency key could not be settled', { ...causeOf(thrown) });

/** @throws Fault `invalid_request` */
export const idempotencyKeyIn = (headers: APIGatewayProxyEventV2['headers']): string | undefined => {
  const key = headers['idempotency-key'] || undefined;
  if (key !== undefined && characters(asWritten(key)) > longestKey) {
    throw new Fault('invalid_request', `Idempotency-Key: must be at most ${longestKey} characters`);
  }
  return key;
};

/** HTTP has bytes in headers, which arrive as one character each. Clients write UTF-8. */
const asWritten = (key: string): string => {
  const bytes = Buffer.from(key, 'latin1');
  return bytes.toString('latin1') === key && isUtf8(bytes) ? bytes.toString('utf8') : key;
};

const conflict = (message: string): Fault => new Fault('idempotency_conflict', message);
