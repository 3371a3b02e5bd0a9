import { whyNotAnyMore } from '../../../shared/compliance/recipient-rules.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { blockedAtItsTime, type Failure, failures, isExpired } from '../../../shared/messages/failures.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { Trigger } from '../../../shared/messages/moves.ts';
import { knownPhone } from '../../../shared/messages/recipient.ts';
import { afterAttempt, mayWaitOn, retrySeconds, turnSeconds } from '../../../shared/messages/text-retries.ts';
import { warnOfRefusedTexts } from '../../../shared/messages/texts-refused.ts';
import type { StoredMessage } from '../../../shared/table/messages/message-items.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { SendStore } from '../../../shared/table/messages/send-store.ts';
import type { Claimed, TextSendStore } from '../../../shared/table/messages/text-send-store.ts';
import type { TriedOutcome, TriedProvider } from './hung-providers.ts';

export interface CallProviderNeeds {
  readonly messages: Pick<MessageStore, 'move'>;
  readonly textSends: Pick<TextSendStore, 'releaseClaim' | 'undoAttempt' | 'fail'>;
  readonly sends: Pick<SendStore, 'read'>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly clock: Clock;
}

/** Results that a run could not write to the table. */
type Unwritten = Pick<TextJob, 'acceptedMs' | 'unusedClaim'>;

/** Another run is to send a text. `isHeldUp`: its sender takes no text now. */
export interface Again {
  readonly againSeconds: number;
  readonly isHeldUp?: boolean;
}

/** The next step for a text: none, waiting for a report, or another run. */
export type Next = 'nothing' | 'await-report' | Again | { readonly unwritten: Unwritten };

interface ProviderCall {
  readonly account: AccountRef;
  readonly provider: TriedProvider | undefined;
  readonly reportUrl: string;
  readonly claimed: Claimed;
  readonly job: Pick<TextJob, 'turnMs' | 'waitedMs'>;
}

type Undecided = Exclude<TriedOutcome, { readonly kind: 'accepted' | 'refused' }>;
type HeldUp = Extract<TriedOutcome, { readonly kind: 'throttled' | 'resting' }>;

/** A text that has waited longer for its sender raises an alarm. */
const alarmingMs = 15 * 60_000;

/** The recipient of a text that has waited, longer than this or for its turn or another attempt, may have written STOP meanwhile. */
const longWaitMs = 5_000;

/** A text that expires before its next attempt comes back when it has expired, and ends then. */
export const untilExpiry = (
  seconds: number,
  { expiresMs = Number.POSITIVE_INFINITY }: { readonly expiresMs?: number | undefined },
  nowMs: number,
): number => Math.min(seconds, Math.max(1, Math.ceil((expiresMs - nowMs) / 1_000)));

const warnOf = (
  { id: accountId }: AccountRef,
  { id: messageId, channel }: StoredMessage,
  outcome: TriedOutcome,
): void =>
  warnOfRefusedTexts({ accountId, messageId, channel, code: outcome.kind === 'refused' ? outcome.code : undefined });

/** Calls the provider with a claimed text, once, and records the outcome. A failure between the claim and the call releases the claim. */
export const callProvider = ({ messages, textSends, sends, random, clock }: CallProviderNeeds) => {
  const fail = async (account: AccountRef, claimed: Claimed, trigger: Trigger, failure: Failure): Promise<Next> => {
    await textSends.fail(account, claimed, trigger, failure, clock());
    return 'nothing';
  };

  const accept = async (
    account: AccountRef,
    { message }: Claimed,
    acceptedMs: number,
    reference: string | undefined,
  ): Promise<Next> => {
    await messages.move(account, message, 'providerAccepted', acceptedMs, reference);
    return 'nothing';
  };

  /** No provider is called. An earlier attempt may have been accepted. */
  const notCalled = async ({ account, claimed }: ProviderCall, why: Failure): Promise<Next> =>
    claimed.message.isUncertain
      ? 'await-report'
      : recorded(claimed.message.id, { unusedClaim: claimed.token }, () => fail(account, claimed, 'sendFailed', why));

  const call = async (
    provider: TriedProvider,
    { account, reportUrl, claimed: { message, text, attempt } }: ProviderCall,
  ): Promise<TriedOutcome> => {
    const to = knownPhone(message.to ?? '') ?? '';
    const outcome = await provider.send({ messageId: message.id, accountId: account.id, to, text, reportUrl });
    if (outcome.kind !== 'resting')
      log('info', 'provider called with a text', { messageId: message.id, attempt, outcome: outcome.kind });
    if ('concernsSetup' in outcome) warnOf(account, message, outcome);
    return outcome;
  };

  /** The sender takes no texts now, which says nothing of this one. Only the first call that found it so counts as an attempt. */
  const waits = async (order: ProviderCall, outcome: HeldUp): Promise<Next> => {
    const { account, claimed, job } = order;
    const { message, token } = claimed;
    const { isUncertain } = message;
    const { waitedMs = 0 } = job;
    const nowMs = clock();
    if (waitedMs >= alarmingMs) warnOf(account, message, outcome);
    const isAttempt = outcome.kind === 'throttled' && job.waitedMs === undefined;
    const { waitSeconds = 0 } = outcome;
    const again = async (): Promise<Next> => {
      if (isAttempt) await textSends.releaseClaim(account, claimed, { isUncertain, nowMs });
      else await textSends.undoAttempt(account, claimed, nowMs);
      const seconds = turnSeconds(waitedMs, waitSeconds, random());
      return { againSeconds: untilExpiry(seconds, message, nowMs), isHeldUp: true };
    };
    return isUncertain ? again() : recorded(message.id, { unusedClaim: token }, again);
  };

  /** The provider has not decided, or its answer was lost. */
  const undecided = async (provider: TriedProvider, order: ProviderCall, outcome: Undecided): Promise<Next> => {
    const { account, claimed, job } = order;
    const { message, attempt, token } = claimed;
    const nowMs = clock();
    const isHeldUp = outcome.kind === 'throttled' || outcome.kind === 'resting';
    if (isHeldUp && mayWaitOn(job.waitedMs)) return waits(order, outcome);
    if (outcome.kind === 'resting') return notCalled(order, failures.unavailable);
    const isUncertain = outcome.kind === 'unknown' || message.isUncertain;
    switch (afterAttempt({ attempt, isUncertain, isRepeatable: provider.takesReference })) {
      case 'again': {
        const { waitSeconds = 0 } = outcome.kind === 'unknown' ? {} : outcome;
        const again = async (): Promise<Next> => {
          await textSends.releaseClaim(account, claimed, { isUncertain, nowMs });
          return { againSeconds: untilExpiry(retrySeconds(attempt, waitSeconds, random()), message, nowMs) };
        };
        return isUncertain ? again() : recorded(message.id, { unusedClaim: token }, again);
      }
      case 'await-report':
        return 'await-report';
      case 'give-up': {
        warnOf(account, message, outcome);
        const giveUp = () => fail(account, claimed, 'sendFailed', failures.unavailable);
        return recorded(message.id, { unusedClaim: token }, giveUp);
      }
    }
  };

  const called = async (provider: TriedProvider, order: ProviderCall): Promise<Next> => {
    const { account, claimed } = order;
    const { message, token } = claimed;
    const outcome = await call(provider, order);
    if (outcome.kind === 'accepted') {
      const acceptedMs = clock();
      return recorded(message.id, { acceptedMs }, () => accept(account, claimed, acceptedMs, outcome.reference));
    }
    if (outcome.kind !== 'refused') return undecided(provider, order, outcome);
    // An earlier attempt may have been accepted; this refusal may concern the repetition only.
    if (message.isUncertain) return 'await-report';
    return recorded(message.id, { unusedClaim: token }, () => fail(account, claimed, 'providerRefused', outcome));
  };

  /** Why a text is not to be sent any more. Its recipient is read again only if it has waited. */
  const endedBy = async ({ account, claimed, job }: ProviderCall): Promise<Failure | undefined> => {
    const { message, attempt } = claimed;
    const nowMs = clock();
    if (isExpired(message, nowMs)) return failures.expired;
    const { channel, to, createdAt, scheduledAt = createdAt } = message;
    const phone = knownPhone(to ?? '');
    const hasWaited = job.turnMs !== undefined || job.waitedMs !== undefined || attempt > 1;
    const isLate = nowMs >= Date.parse(scheduledAt) + longWaitMs;
    if (phone === undefined || !(hasWaited || isLate)) return undefined;
    const reason = whyNotAnyMore(channel, await sends.read(account, { channel, contact: { phone } }));
    return reason === undefined ? undefined : blockedAtItsTime(reason);
  };

  return async (order: ProviderCall): Promise<Next> => {
    const { provider, claimed } = order;
    if (!provider) return notCalled(order, failures.noProvider);
    try {
      const ended = await endedBy(order);
      if (ended) return notCalled(order, ended);
    } catch (thrown) {
      log('error', 'the recipient of a text could not be read', { messageId: claimed.message.id, ...causeOf(thrown) });
      return { unwritten: { unusedClaim: claimed.token } };
    }
    return called(provider, order);
  };
};

/**
 * Records a provider's answer. When the table fails, the next job carries the answer: an accepted text is neither sent again nor given
 * up, and a refused one does not count as possibly accepted.
 */
const recorded = async (messageId: string, known: Unwritten, write: () => Promise<Next>): Promise<Next> => {
  try {
    return await write();
  } catch (thrown) {
    log('error', 'the outcome of a text could not be recorded', { messageId, ...causeOf(thrown) });
    return { unwritten: known };
  }
};
