import { addressLimit, unsubscribesOfAddress } from '../../../shared/http/address-limit.ts';
import { form } from '../../../shared/http/form.ts';
import * as live from '../../../shared/live.ts';
import { answerPages } from '../../../shared/messages/unsubscribe-pages.ts';
import { unsubscribeRecipient } from './handler.ts';

export const handler = form(
  unsubscribeRecipient({
    accounts: live.accounts(),
    messageTokens: live.messageTokens(),
    outcomeRecorder: live.outcomeRecorder(),
  }),
  answerPages,
  addressLimit(live.rates(), unsubscribesOfAddress),
);
