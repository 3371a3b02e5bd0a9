import * as inbound from './compliance/inbound-receiver.ts';
import { type Connection, spreadsOf, tableOf, vaultOf } from './connection.ts';
import type { ContactFilter } from './contacts/contact-filter.ts';
import * as outcome from './contacts/outcome-recorder.ts';
import type { MessageFilter } from './messages/message-filter.ts';
import { accountStore } from './table/accounts/account-store.ts';
import { apiKeyStore } from './table/accounts/api-key-store.ts';
import { creditStore } from './table/accounts/credit-store.ts';
import { idempotencyStore } from './table/accounts/idempotency-store.ts';
import { inboundUrlStore } from './table/accounts/inbound-url-store.ts';
import { rateStore } from './table/accounts/rate-store.ts';
import { strandedStore } from './table/accounts/stranded-store.ts';
import { checkoutKeyStore } from './table/checkout/checkout-key-store.ts';
import { dueStore } from './table/checkout/due-store.ts';
import { gatewayTokenStore } from './table/checkout/gateway-token-store.ts';
import { logoStore } from './table/checkout/logo-store.ts';
import { methodStore } from './table/checkout/method-store.ts';
import { paymentStore } from './table/checkout/payment-store.ts';
import { refundStore } from './table/checkout/refund-store.ts';
import { sessionStore } from './table/checkout/session-store.ts';
import { consentStore } from './table/contacts/consent-store.ts';
import { contactStore } from './table/contacts/contact-store.ts';
import { strikeStore } from './table/contacts/strike-store.ts';
import { suppressionStore } from './table/contacts/suppression-store.ts';
import { analyticsStore } from './table/messages/analytics-store.ts';
import { messageStore } from './table/messages/message-store.ts';
import { scheduledStore } from './table/messages/scheduled-store.ts';
import { sendContextStore } from './table/messages/send-context-store.ts';
import { sendStore } from './table/messages/send-store.ts';
import { textSendStore } from './table/messages/text-send-store.ts';
import { textTurnStore } from './table/messages/text-turn-store.ts';
import { trafficStore } from './table/messages/traffic-store.ts';
import { unreportedStore } from './table/messages/unreported-store.ts';
import { windowStore } from './table/messages/window-store.ts';
import { accessKeyStore } from './table/people/access-key-store.ts';
import { auditStore } from './table/people/audit-store.ts';
import { memberStore } from './table/people/member-store.ts';
import { resourceOwnerStore } from './table/people/resource-owner-store.ts';
import { signInStore } from './table/people/sign-in-store.ts';
import { templateStore } from './table/templates/template-store.ts';
import { transferStore } from './table/transfers/transfer-store.ts';
import { uploadStore } from './table/transfers/upload-store.ts';
import { attemptStore } from './table/webhooks/attempt-store.ts';
import { deliveryStore } from './table/webhooks/delivery-store.ts';
import { eventStore } from './table/webhooks/event-store.ts';
import { paceStore } from './table/webhooks/pace-store.ts';
import { webhookStore } from './table/webhooks/webhook-store.ts';
import * as sync from './templates/template-sync.ts';
import { type ContactImport, interruptedImport } from './transfers/contact-import.ts';
import { type Export, interruptedExport } from './transfers/export.ts';

// Every store of the table by name. Functions use them by `live.ts`, with the table and the key of the deployment; tests bring a connection.

export const accounts = (on?: Connection) => accountStore(tableOf(on), vaultOf(on), spreadsOf(on));
export const inboundUrls = (on?: Connection) => inboundUrlStore(tableOf(on));
export const gatewayTokens = (on?: Connection) => gatewayTokenStore(tableOf(on), vaultOf(on));
export const accessKeys = (on?: Connection) => accessKeyStore(tableOf(on));
export const audit = (on?: Connection) => auditStore(tableOf(on), vaultOf(on));
export const resourceOwners = (on?: Connection) => resourceOwnerStore(tableOf(on));
export const members = (on?: Connection) => memberStore(tableOf(on), vaultOf(on));
export const signIns = (on?: Connection) => signInStore(tableOf(on), vaultOf(on));
export const analytics = (on?: Connection) => analyticsStore(tableOf(on), spreadsOf(on));
export const apiKeys = (on?: Connection) => apiKeyStore(tableOf(on));
export const attempts = (on?: Connection) => attemptStore(tableOf(on), vaultOf(on));
export const checkoutKeys = (on?: Connection) => checkoutKeyStore(tableOf(on));
export const payments = (on?: Connection) => paymentStore(tableOf(on), vaultOf(on));
export const sessions = (on?: Connection) => sessionStore(tableOf(on), vaultOf(on));
export const consents = (on?: Connection) => consentStore(tableOf(on), vaultOf(on));
export const contacts = (on?: Connection) => contactStore(tableOf(on), vaultOf(on));
export const credits = (on?: Connection) => creditStore(tableOf(on), vaultOf(on));
export const deliveries = (on?: Connection) => deliveryStore(tableOf(on), vaultOf(on));
export const messages = (on?: Connection) => messageStore(tableOf(on), vaultOf(on), spreadsOf(on));
export const logos = (on?: Connection) => logoStore(tableOf(on));
export const methods = (on?: Connection) => methodStore(tableOf(on), vaultOf(on));
export const due = (on?: Connection) => dueStore(tableOf(on));
export const events = (on?: Connection) => eventStore(tableOf(on), vaultOf(on), 'messaging');
export const checkoutEvents = (on?: Connection) => eventStore(tableOf(on), vaultOf(on), 'checkout');
export const paces = (on?: Connection) => paceStore(tableOf(on));
export const rates = (on?: Connection) => rateStore(tableOf(on));
export const refunds = (on?: Connection) => refundStore(tableOf(on), vaultOf(on));
export const idempotencyKeys = (on?: Connection) => idempotencyStore(tableOf(on), vaultOf(on));
export const scheduled = (on?: Connection) => scheduledStore(tableOf(on), vaultOf(on), spreadsOf(on));
export const sendContexts = (on?: Connection) => sendContextStore(tableOf(on), vaultOf(on), spreadsOf(on));
export const sends = (on?: Connection) => sendStore(tableOf(on), vaultOf(on), spreadsOf(on));
export const spreads = (on?: Connection) => spreadsOf(on);
export const stranded = (on?: Connection) => strandedStore(tableOf(on), spreadsOf(on));
export const strikes = (on?: Connection) => strikeStore(tableOf(on));
export const suppressions = (on?: Connection) => suppressionStore(tableOf(on), vaultOf(on));
export const templates = (on?: Connection) => templateStore(tableOf(on), vaultOf(on));
export const textSends = (on?: Connection) => textSendStore(tableOf(on), vaultOf(on), spreadsOf(on));
export const textTurns = (on?: Connection) => textTurnStore(tableOf(on));
export const traffic = (on?: Connection) => trafficStore(tableOf(on), vaultOf(on), spreadsOf(on));
export const contactImports = (on?: Connection) =>
  transferStore<ContactImport>(tableOf(on), vaultOf(on), 'contact-import', interruptedImport);
export const messageExports = (on?: Connection) =>
  transferStore<Export<MessageFilter>>(tableOf(on), vaultOf(on), 'message-export', interruptedExport);
export const contactExports = (on?: Connection) =>
  transferStore<Export<ContactFilter>>(tableOf(on), vaultOf(on), 'contact-export', interruptedExport);
export const uploads = (on?: Connection) => uploadStore(tableOf(on), vaultOf(on));
export const unreported = (on?: Connection) => unreportedStore(tableOf(on), vaultOf(on), spreadsOf(on));
export const windows = (on?: Connection) => windowStore(tableOf(on), vaultOf(on));
export const webhooks = (on?: Connection) => webhookStore(tableOf(on), vaultOf(on), 'messaging');
export const allWebhooks = (on?: Connection) => webhookStore(tableOf(on), vaultOf(on));
export const checkoutWebhooks = (on?: Connection) => webhookStore(tableOf(on), vaultOf(on), 'checkout');

/** What is done with several stores, the same for every function that does it. */
export const inboundReceiver = (on?: Connection) =>
  inbound.inboundReceiver({
    contacts: contacts(on),
    consents: consents(on),
    messages: messages(on),
    windows: windows(on),
  });
export const outcomeRecorder = (on?: Connection) =>
  outcome.outcomeRecorder({ messages: messages(on), contacts: contacts(on), suppressions: suppressions(on) });
export const templateSync = (on?: Connection) => sync.templateSync(templates(on));
