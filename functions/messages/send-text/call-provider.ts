import { causeOf, log } from '../../../shared/kit/log.ts';
import { failures } from '../../../shared/messages/failures.ts';
import { knownPhone } from '../../../shared/messages/recipient.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { SendContextStore } from '../../../shared/table/messages/send-context-store.ts';
import { type AfterUndecidedNeeds, afterUndecided, warnOf } from './after-undecided.ts';
import { endedBy } from './ended-by.ts';
import type { TriedOutcome, TriedProvider } from './hung-providers.ts';
import { type ClaimedText, failText, type Next, recorded } from './next-step.ts';

export interface CallProviderNeeds extends AfterUndecidedNeeds {
  readonly messages: Pick<MessageStore, 'move'>;
  readonly sends: SendContextStore;
}

interface ProviderCall extends ClaimedText {
  readonly provider: TriedProvider | undefined;
  readonly reportUrl: string;
}

const call = async (provider: TriedProvider, order: ProviderCall): Promise<TriedOutcome> => {
  const { account, reportUrl, claimed } = order;
  const { message, text, attempt } = claimed;
  const to = knownPhone(message.to ?? '') ?? '';
  const { id: messageId, expiresMs } = message;
  const outcome = await provider.send({ messageId, accountId: account.id, to, text, expiresMs, reportUrl });
  if (outcome.kind !== 'resting')
    log('info', 'provider called with a text', { messageId: message.id, attempt, outcome: outcome.kind });
  if ('concernsSetup' in outcome) warnOf(order, outcome);
  return outcome;
};

/** Calls the provider with a claimed text, once, and records the outcome. A failure between the claim and the call releases the claim. */
export const callProvider = ({ messages, sends, ...needs }: CallProviderNeeds) => {
  const { clock } = needs;
  const fail = failText(needs);
  const undecided = afterUndecided(needs);

  const called = async (provider: TriedProvider, order: ProviderCall): Promise<Next> => {
    const { account, claimed } = order;
    const { message } = claimed;
    const outcome = await call(provider, order);
    switch (outcome.kind) {
      case 'accepted': {
        const acceptedMs = clock();
        return recorded(message.id, { acceptedMs }, async () => {
          await messages.move(account, message, 'providerAccepted', acceptedMs, outcome.reference);
          return { kind: 'nothing' };
        });
      }
      case 'refused':
        return fail(order, 'providerRefused', outcome);
      default:
        return undecided(provider, order, outcome);
    }
  };

  return async (order: ProviderCall): Promise<Next> => {
    const { provider, claimed } = order;
    if (!provider) return fail(order, 'sendFailed', failures.noProvider);
    try {
      const ended = await endedBy(sends, order, clock());
      if (ended) return fail(order, 'sendFailed', ended);
    } catch (thrown) {
      log('error', 'the recipient of a text could not be read', { messageId: claimed.message.id, ...causeOf(thrown) });
      return { kind: 'unwritten', known: { unusedClaim: claimed.token } };
    }
    return called(provider, order);
  };
};
