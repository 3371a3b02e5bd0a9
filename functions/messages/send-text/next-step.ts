import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { Failure } from '../../../shared/messages/failures.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { Claimed, TextSendStore } from '../../../shared/table/messages/text-send-store.ts';

/** A claimed text. */
export interface ClaimedText {
  readonly account: AccountRef;
  readonly claimed: Claimed;
  readonly job: Pick<TextJob, 'turnMs' | 'waitedMs'>;
}

/** Another run is to send a text. `isHeldUp`: its sender takes no text now. */
export interface Again {
  readonly kind: 'again';
  readonly seconds: number;
  readonly isHeldUp?: boolean;
}

/** The next step for a text: none, waiting for a report, another run, or one that writes what this one knows and could not. */
export type Next =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'await-report' }
  | Again
  | { readonly kind: 'unwritten'; readonly known: Pick<TextJob, 'acceptedMs' | 'unusedClaim'> };

/** A text that expires before its next attempt comes back when it has expired, and ends then. */
export const untilExpiry = (
  seconds: number,
  { expiresMs = Number.POSITIVE_INFINITY }: { readonly expiresMs?: number | undefined },
  nowMs: number,
): number => Math.min(seconds, Math.max(1, Math.ceil((expiresMs - nowMs) / 1_000)));

/**
 * Records a provider's answer. When the table fails, the next job carries the answer: an accepted text is neither sent again nor given
 * up, and a refused one does not count as possibly accepted.
 */
export const recorded = async (
  messageId: string,
  known: Extract<Next, { readonly kind: 'unwritten' }>['known'],
  write: () => Promise<Next>,
): Promise<Next> => {
  try {
    return await write();
  } catch (thrown) {
    log('error', 'the outcome of a text could not be recorded', { messageId, ...causeOf(thrown) });
    return { kind: 'unwritten', known };
  }
};

export interface FailTextNeeds {
  readonly textSends: Pick<TextSendStore, 'fail'>;
  readonly clock: Clock;
}

/**
 * Ends a text that was not given to its provider, or refused by it; unless an earlier attempt may have been accepted: a refusal may concern the
 * repetition only.
 */
export const failText =
  ({ textSends, clock }: FailTextNeeds) =>
  async (
    { account, claimed }: ClaimedText,
    trigger: 'sendFailed' | 'providerRefused',
    failure: Failure,
  ): Promise<Next> => {
    const { message, token } = claimed;
    if (message.isUncertain) return { kind: 'await-report' };
    return recorded(message.id, { unusedClaim: token }, async () => {
      await textSends.fail(account, claimed, trigger, failure, clock());
      return { kind: 'nothing' };
    });
  };
