import { whyNotAnyMore } from '../../../shared/compliance/recipient-rules.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { blockedAtItsTime, type Failure, failures, isExpired } from '../../../shared/messages/failures.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { Trigger } from '../../../shared/messages/moves.ts';
import { knownPhone } from '../../../shared/messages/recipient.ts';
import { afterAttempt, retrySeconds } from '../../../shared/messages/text-retries.ts';
import type { TextOutcome, TextProvider } from '../../../shared/providers/text/text-provider.ts';
import type { StoredMessage } from '../../../shared/table/messages/message-items.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { SendStore } from '../../../shared/table/messages/send-store.ts';
import type { Claimed, TextSendStore } from '../../../shared/table/messages/text-send-store.ts';

export interface CallProviderNeeds {
  readonly messages: Pick<MessageStore, 'move'>;
  readonly textSends: Pick<TextSendStore, 'release' | 'fail'>;
  readonly sends: Pick<SendStore, 'read'>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly clock: Clock;
}

/** Results that a run could not write to the table. */
type Unwritten = Pick<TextJob, 'acceptedMs' | 'unusedClaim'>;

/** The next step for a text: none, waiting for a report, or another run. */
export type Next = 'nothing' | 'await-report' | { readonly againSeconds: number } | { readonly unwritten: Unwritten };

interface ProviderCall {
  readonly account: AccountRef;
  readonly provider: TextProvider | undefined;
  readonly reportUrl: string;
  readonly claimed: Claimed;
  /** It has had to wait for its sender's turn. */
  readonly hadTurn: boolean;
}

/** The recipient of a text that has waited, longer than this or for its turn or another attempt, may have written STOP meanwhile. */
const longWaitMs = 5_000;

/** A text that expires before its next attempt comes back when it has expired, and ends then. */
const secondsToExpiry = ({ expiresMs = Number.POSITIVE_INFINITY }: StoredMessage, nowMs: number): number =>
  Math.max(1, Math.ceil((expiresMs - nowMs) / 1_000));

/** An alarm reads the line, so it is written at every level that a deployment may have. */
const warnOf = ({ id: accountId }: AccountRef, { id: messageId, channel }: StoredMessage, outcome: TextOutcome): void =>
  log('error', 'a provider takes no texts of an account', {
    ...{ accountId, messageId, channel, textsRefused: true },
    ...(outcome.kind === 'refused' && { code: outcome.code }),
  });

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

  const release = async (
    account: AccountRef,
    claimed: Claimed,
    { isUncertain, waitSeconds = 0 }: { readonly isUncertain: boolean; readonly waitSeconds?: number | undefined },
  ): Promise<Next> => {
    const nowMs = clock();
    await textSends.release(account, claimed, { isUncertain, nowMs });
    const againSeconds = retrySeconds(claimed.attempt, waitSeconds, random());
    return { againSeconds: Math.min(againSeconds, secondsToExpiry(claimed.message, nowMs)) };
  };

  /** No provider is called. An earlier attempt may have been accepted. */
  const notCalled = async ({ account, claimed }: ProviderCall, why: Failure): Promise<Next> =>
    claimed.message.isUncertain
      ? 'await-report'
      : recorded(claimed.message.id, { unusedClaim: claimed.token }, () => fail(account, claimed, 'sendFailed', why));

  const call = async (
    provider: TextProvider,
    { account, reportUrl, claimed: { message, text, attempt } }: ProviderCall,
  ): Promise<TextOutcome> => {
    const to = knownPhone(message.to ?? '') ?? '';
    const outcome = await provider.send({ messageId: message.id, accountId: account.id, to, text, reportUrl });
    log('info', 'provider called with a text', { messageId: message.id, attempt, outcome: outcome.kind });
    if ('concernsSetup' in outcome) warnOf(account, message, outcome);
    return outcome;
  };

  const called = async (provider: TextProvider, order: ProviderCall): Promise<Next> => {
    const { account, claimed } = order;
    const { message, attempt, token } = claimed;
    const notTaken: Unwritten = { unusedClaim: token };
    const outcome = await call(provider, order);
    if (outcome.kind === 'accepted') {
      const acceptedMs = clock();
      return recorded(message.id, { acceptedMs }, () => accept(account, claimed, acceptedMs, outcome.reference));
    }

    const isUncertain = outcome.kind === 'unknown' || message.isUncertain;
    const isRepeatable = provider.takesReference;
    if (outcome.kind === 'refused') {
      // An earlier attempt may have been accepted; this refusal may concern the repetition only.
      if (isUncertain) return 'await-report';
      return recorded(message.id, notTaken, () => fail(account, claimed, 'providerRefused', outcome));
    }
    const waitSeconds = outcome.kind === 'unavailable' ? outcome.waitSeconds : undefined;
    switch (afterAttempt({ attempt, isUncertain, isRepeatable })) {
      case 'again': {
        const again = () => release(account, claimed, { isUncertain, waitSeconds });
        return isUncertain ? again() : recorded(message.id, notTaken, again);
      }
      case 'await-report':
        return 'await-report';
      case 'give-up':
        return recorded(message.id, notTaken, () => fail(account, claimed, 'sendFailed', failures.unavailable));
    }
  };

  /** Why a text is not to be sent any more. Its recipient is read again only if it has waited. */
  const endedBy = async ({ account, claimed, hadTurn }: ProviderCall): Promise<Failure | undefined> => {
    const { message, attempt } = claimed;
    const nowMs = clock();
    if (isExpired(message, nowMs)) return failures.expired;
    const { channel, to, createdAt, scheduledAt = createdAt } = message;
    const phone = knownPhone(to ?? '');
    const hasWaited = hadTurn || attempt > 1 || nowMs >= Date.parse(scheduledAt) + longWaitMs;
    if (phone === undefined || !hasWaited) return undefined;
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
