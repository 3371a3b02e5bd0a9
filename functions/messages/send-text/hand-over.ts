import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { failures } from '../../../shared/messages/failures.ts';
import type { MessageLinks } from '../../../shared/messages/message-link.ts';
import { phoneNumber } from '../../../shared/messages/recipient.ts';
import { afterAttempt, retrySeconds } from '../../../shared/messages/text-retries.ts';
import type { TextOutcome, TextProvider } from '../../../shared/providers/text/text-provider.ts';
import type { Messages } from '../../../shared/table/message-storage.ts';
import type { Claimed, TextSends } from '../../../shared/table/text-send-storage.ts';

export interface HandOverNeeds {
  readonly messages: Pick<Messages, 'move'>;
  readonly textSends: Pick<TextSends, 'release' | 'fail'>;
  readonly messageLinks: MessageLinks;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly clock: Clock;
}

/** What is left to do for a text: nothing, the same again later, or to wait for a report. */
export type Next = 'nothing' | 'await-report' | { readonly againSeconds: number };

/** Calls the provider with a claimed text, once, and writes down what became of it. */
export const handOver = ({ messages, textSends, messageLinks, random, clock }: HandOverNeeds) => {
  const call = async (account: AccountRef, provider: TextProvider, { message, text, attempt }: Claimed) => {
    const outcome = await provider.send({
      messageId: message.id,
      accountId: account.id,
      to: phoneNumber(message.to ?? '') ?? '',
      text,
      reportUrl: await messageLinks.urlFor('sms-report', account, message.id),
    });
    log('info', 'text handed over', { messageId: message.id, attempt, outcome: outcome.kind });
    return outcome;
  };

  const decide = async (
    account: AccountRef,
    claimed: Claimed,
    outcome: Extract<TextOutcome, { kind: 'unavailable' | 'unknown' }>,
    isRepeatable: boolean,
  ): Promise<Next> => {
    const { message, attempt } = claimed;
    const isUncertain = outcome.kind === 'unknown' || message.isUncertain;
    switch (afterAttempt({ attempt, isUncertain, isRepeatable })) {
      case 'again': {
        await textSends.release(account, claimed, { isUncertain, nowMs: clock() });
        const { waitSeconds = 0 } = outcome.kind === 'unavailable' ? outcome : {};
        return { againSeconds: retrySeconds(attempt, waitSeconds, random()) };
      }
      case 'await-report':
        return 'await-report';
      case 'give-up':
        await textSends.fail(account, claimed, 'sendFailed', failures.unavailable, clock());
        return 'nothing';
    }
  };

  return async (account: AccountRef, provider: TextProvider | undefined, claimed: Claimed): Promise<Next> => {
    if (!provider) {
      await textSends.fail(account, claimed, 'sendFailed', failures.noProvider, clock());
      return 'nothing';
    }
    const outcome = await call(account, provider, claimed);
    switch (outcome.kind) {
      case 'accepted':
        await messages.move(account, claimed.message, 'providerAccepted', clock());
        return 'nothing';
      case 'refused':
        await textSends.fail(account, claimed, 'providerRefused', outcome, clock());
        return 'nothing';
      default:
        return decide(account, claimed, outcome, provider.takesReference);
    }
  };
};
