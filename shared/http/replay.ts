import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Fault } from '../kit/fault.ts';
import { causeOf, log } from '../kit/log.ts';
import type { Contract } from './contract.ts';
import type { Step } from './visit.ts';

/** An answer as it was given, to be given again byte for byte. */
export interface StoredReply {
  readonly status: number;
  readonly body: string;
}

/** The right to carry out one request under its key. Only the holder of the token may end it. */
export interface Claim {
  readonly key: string;
  readonly token: string;
  /** What the request creates goes by this id. A claim that takes over from one that died is given the same id. */
  readonly newId: string;
}

export interface WantedClaim {
  readonly key: string;
  readonly endpoint: string;
  readonly newId: string;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'replay'; readonly reply: StoredReply }
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'other-endpoint' };

/** Where a caller's idempotency keys are kept. */
export interface Replays<Who> {
  claim(who: Who, wanted: WantedClaim, nowMs: number): Promise<ClaimOutcome>;
  complete(who: Who, claim: Claim, reply: StoredReply): Promise<void>;
  release(who: Who, claim: Claim): Promise<void>;
}

export const longestKey = 255;

/**
 * Repeating a request under its key repeats the answer and not the effect (specification, "Idempotency"). A function that was cut off keeps
 * its claim until that expires, because what it began may still go on; so does one whose answer could not be kept.
 */
export const replaying = <C extends Contract, Who>(replays: Replays<Who>): Step<C, Who> => ({
  before: async ({ event }) => {
    const { idempotencyKey: key, newId } = event.input;
    if (key === undefined) return;
    const wanted = { key, endpoint: event.routeKey, newId };
    const outcome = await replays.claim(event.who, wanted, event.nowMs);
    if (outcome.kind === 'in-flight')
      throw conflict('A request with this Idempotency-Key is in flight; repeat it later.');
    if (outcome.kind === 'other-endpoint') throw conflict('This Idempotency-Key was used on another endpoint.');
    if (outcome.kind === 'replay') {
      event.replay = outcome.reply;
    } else {
      event.claim = outcome.claim;
      event.input = { ...event.input, newId: outcome.claim.newId };
    }
  },
  after: async ({ event: { who, claim }, response }) => {
    if (!claim || !response) return;
    const reply = { status: response.statusCode, body: response.body ?? '' };
    await replays.complete(who, claim, reply).catch(leaveToExpire);
  },
  onError: async ({ event: { who, claim }, error }) => {
    if (claim && error?.name !== 'TimeoutError') await replays.release(who, claim).catch(leaveToExpire);
  },
});

const leaveToExpire = (thrown: unknown): void =>
  log('error', 'an idempotency key was left to expire', { ...causeOf(thrown) });

/** @throws Fault `invalid_request` */
export const keyIn = (headers: APIGatewayProxyEventV2['headers']): string | undefined => {
  const key = headers['idempotency-key'] || undefined;
  if (key !== undefined && key.length > longestKey) {
    throw new Fault('invalid_request', `Idempotency-Key: must be at most ${longestKey} characters`);
  }
  return key;
};

const conflict = (message: string): Fault => new Fault('idempotency_conflict', message);
