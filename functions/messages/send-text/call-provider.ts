import { whyNotAnyMore } from '../../../shared/compliance/recipient-rules.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { blockedAtItsTime, type Failure, failures, isExpired } from '../../../shared/messages/failures.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { Trigger } from '../../../shared/messages/moves.ts';
import { knownPhone } from '../../../shared/messages/recipient.ts';
import { afterAttempt, mayWaitOn, retrySeconds, turnSeconds } from '../../../shared/messages/text-retries.ts';
import type { TextOutcome } from '../../../shared/providers/text/text-provider.ts';
import type { StoredMessage } from '../../../shared/table/messages/message-items.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { SendStore } from '../../../shared/table/messages/send-store.ts';
import type { Claimed, TextSendStore } from '../../../shared/table/messages/text-send-store.ts';
import type { TriedProvider } from './hung-providers.ts';

export interface CallProviderNeeds {
  readonly messages: Pick<MessageStore, 'move'>;
  readonly textSends: Pick<TextSendStore, 'releaseClaim' | 'undoClaim' | 'fail'>;
  readonly sends: Pick<SendStore, 'read'>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly clock: Clock;
}

/** Results that a run could not write to the table. */
type Unwritten = Pick<TextJob, 'acceptedMs' | 'unusedClaim'>;

/** Another run is to send a text. `isWaiting`: for its sender, which takes no text now. */
interface Again {
  readonly againSeconds: number;
  readonly isWaiting?: boolean;
}

/** The next step for a text: none, waiting for a report, or another run. */
export type Next = 'nothing' | 'await-report' | Again | { readonly unwritten: Unwritten };

interface ProviderCall {
  readonly account: AccountRef;
  readonly provider: TriedProvider | undefined;
  readonly reportUrl: string;
  readonly claimed: Claimed;
  /** It has had to wait for its sender's turn. */
  readonly hadTurn: boolean;
  /** The provider hangs, and is not to be called for so long. */
  readonly restMs: number;
}

interface Release {
  readonly isUncertain: boolean;
  readonly isWaiting: boolean;
  /** The provider's requested delay; 0 without one. */
  readonly waitSeconds: number;
}

type Undecided = Exclude<TextOutcome, { readonly kind: 'accepted' | 'refused' }>;

/** The recipient of a text that has waited, longer than this or for its turn or another attempt, may have written STOP meanwhile. */
const longWaitMs = 5_000;

/** A text that expires before its next attempt comes back when it has expired, and ends then. */
export const untilExpiry = (
  seconds: number,
  { expiresMs = Number.POSITIVE_INFINITY }: { readonly expiresMs?: number | undefined },
  nowMs: number,
): number => Math.min(seconds, Math.max(1, Math.ceil((expiresMs - nowMs) / 1_000)));

/** How long a text has been due. */
const waitedMs = ({ createdAt, scheduledAt = createdAt }: StoredMessage, nowMs: number): number =>
  nowMs - Date.parse(scheduledAt);

/** An alarm reads the line, so it is written at every level that a deployment may have. */
const warnOf = ({ id: accountId }: AccountRef, { id: messageId, channel }: StoredMessage, outcome: TextOutcome): void =>
  log('error', 'a provider takes no texts of an account', {
    accountId,
    messageId,
    channel,
    textsRefused: true,
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
    { isUncertain, isWaiting, waitSeconds }: Release,
  ): Promise<Next> => {
    const nowMs = clock();
    await textSends.releaseClaim(account, claimed, { isUncertain, isWaitedOut: isWaiting, nowMs });
    const seconds = isWaiting
      ? turnSeconds(waitedMs(claimed.message, nowMs), waitSeconds, random())
      : retrySeconds(claimed.attempt, waitSeconds, random());
    return { againSeconds: untilExpiry(seconds, claimed.message, nowMs), isWaiting };
  };

  /** Its provider hangs. A text that has waited too long for it ends. */
  const rest = async (order: ProviderCall): Promise<Next> => {
    const { account, claimed, restMs } = order;
    const nowMs = clock();
    const { message, token } = claimed;
    if (!mayWaitOn(waitedMs(message, nowMs))) return notCalled(order, failures.unavailable);
    return recorded(message.id, { unusedClaim: token }, async () => {
      await textSends.undoClaim(account, message, token);
      return { againSeconds: untilExpiry(Math.ceil(restMs / 1_000), message, nowMs), isWaiting: true };
    });
  };

  /** No provider is called. An earlier attempt may have been accepted. */
  const notCalled = async ({ account, claimed }: ProviderCall, why: Failure): Promise<Next> =>
    claimed.message.isUncertain
      ? 'await-report'
      : recorded(claimed.message.id, { unusedClaim: claimed.token }, () => fail(account, claimed, 'sendFailed', why));

  const call = async (
    provider: TriedProvider,
    { account, reportUrl, claimed: { message, text, attempt } }: ProviderCall,
  ): Promise<TextOutcome> => {
    const to = knownPhone(message.to ?? '') ?? '';
    const outcome = await provider.send({ messageId: message.id, accountId: account.id, to, text, reportUrl });
    log('info', 'provider called with a text', { messageId: message.id, attempt, outcome: outcome.kind });
    if ('concernsSetup' in outcome) warnOf(account, message, outcome);
    return outcome;
  };

  /** The provider has not decided, or its answer was lost. */
  const undecided = async (
    provider: TriedProvider,
    { account, claimed }: ProviderCall,
    outcome: Undecided,
  ): Promise<Next> => {
    const { message, attempt, token } = claimed;
    const isUncertain = outcome.kind === 'unknown' || message.isUncertain;
    const isWaiting = outcome.kind === 'throttled' && mayWaitOn(waitedMs(message, clock()));
    const { waitSeconds = 0 } = outcome.kind === 'unknown' ? {} : outcome;
    switch (afterAttempt({ attempt, isUncertain, isRepeatable: provider.takesReference, isWaitedOut: isWaiting })) {
      case 'again': {
        const again = () => release(account, claimed, { isUncertain, isWaiting, waitSeconds });
        return isUncertain ? again() : recorded(message.id, { unusedClaim: token }, again);
      }
      case 'await-report':
        return 'await-report';
      case 'give-up': {
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
  const endedBy = async ({ account, claimed, hadTurn }: ProviderCall): Promise<Failure | undefined> => {
    const { message, attempt } = claimed;
    const nowMs = clock();
    if (isExpired(message, nowMs)) return failures.expired;
    const { channel, to } = message;
    const phone = knownPhone(to ?? '');
    const hasWaited = hadTurn || attempt > 1 || waitedMs(message, nowMs) >= longWaitMs;
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
    return order.restMs > 0 ? rest(order) : called(provider, order);
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
