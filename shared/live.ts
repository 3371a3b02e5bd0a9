import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SESClient } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { AccountSettings } from './accounts/account.ts';
import type { RoundJob } from './accounts/round.ts';
import type { StrandedJob } from './accounts/stranded.ts';
import { singleCallSettings } from './aws/aws-call.ts';
import { retriedSettings } from './aws/aws-retry.ts';
import { openQueue } from './aws/queue.ts';
import { openRedelivery } from './aws/redelivery.ts';
import { openLateQueue } from './aws/schedule.ts';
import { snsMessages } from './aws/sns-messages.ts';
import { dataKeyMaker, openVault } from './aws/vault.ts';
import * as addresses from './checkout/addresses.ts';
import type { PaymentJob } from './checkout/jobs.ts';
import { refundWorker } from './checkout/refund.ts';
import { paymentResolver } from './checkout/resolve.ts';
import { isSimulated } from './checkout/simulation.ts';
import * as inbound from './compliance/inbound-receiver.ts';
import * as outcome from './contacts/outcome-recorder.ts';
import { setting } from './kit/setting.ts';
import * as callbacks from './messages/callback-urls.ts';
import type { MessageJob, TextJob } from './messages/jobs.ts';
import * as links from './messages/message-link.ts';
import { metaSettingsOf, smsSettingsOf, type TextDeployment } from './messages/text-settings.ts';
import { sesProvider } from './providers/email/ses.ts';
import { realGateways as gatewaysWith } from './providers/gateways/choose.ts';
import type { Gateways } from './providers/gateways/gateway.ts';
import { simulator } from './providers/gateways/simulator.ts';
import { pinnedRequest } from './providers/http/pinned-request.ts';
import { smsProviderFor, whatsappProviderFor } from './providers/text/choose.ts';
import { pinnedPost } from './providers/webhook/pinned-post.ts';
import { accountStore } from './table/accounts/account-store.ts';
import { apiKeyStore } from './table/accounts/api-key-store.ts';
import { creditStore } from './table/accounts/credit-store.ts';
import { rateStore } from './table/accounts/rate-store.ts';
import { replayStore } from './table/accounts/replay-store.ts';
import { strandedStore } from './table/accounts/stranded-store.ts';
import { checkoutKeyStore } from './table/checkout/checkout-key-store.ts';
import { gatewayTokenStore } from './table/checkout/gateway-token-store.ts';
import { methodStore } from './table/checkout/method-store.ts';
import { paymentStore } from './table/checkout/payment-store.ts';
import { refundStore } from './table/checkout/refund-store.ts';
import { sessionStore } from './table/checkout/session-store.ts';
import { consentStore } from './table/contacts/consent-store.ts';
import { contactStore } from './table/contacts/contact-store.ts';
import { strikeStore } from './table/contacts/strike-store.ts';
import { analyticsStore } from './table/messages/analytics-store.ts';
import { messageStore } from './table/messages/message-store.ts';
import { sendStore } from './table/messages/send-store.ts';
import { textSendStore } from './table/messages/text-send-store.ts';
import { textTurnStore } from './table/messages/text-turn-store.ts';
import { trafficStore } from './table/messages/traffic-store.ts';
import { unreportedStore } from './table/messages/unreported-store.ts';
import { windowStore } from './table/messages/window-store.ts';
import { openTable } from './table/table.ts';
import { templateStore } from './table/templates/template-store.ts';
import { attemptStore } from './table/webhooks/attempt-store.ts';
import { deliveryStore } from './table/webhooks/delivery-store.ts';
import { eventStore } from './table/webhooks/event-store.ts';
import { paceStore } from './table/webhooks/pace-store.ts';
import { webhookStore } from './table/webhooks/webhook-store.ts';
import * as sync from './templates/template-sync.ts';
import type { DeletionJob, DeliveryJob, FanOutJob } from './webhooks/jobs.ts';
import { isPublicAddress } from './webhooks/public-address.ts';

/**
 * The real things, by name; only `main.ts` files and `callers.ts` import this. Each is made when it is asked for, so a bundle holds what its function uses.
 */

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const table = /* @__PURE__ */ once(() => openTable(new DynamoDBClient(retriedSettings), setting('TABLE_NAME')));
const kms = /* @__PURE__ */ once(() => new KMSClient(retriedSettings));
const sqs = /* @__PURE__ */ once(() => new SQSClient(retriedSettings));
const vault = /* @__PURE__ */ once(() => openVault(kms()));

export const dataKeys = () => dataKeyMaker(kms(), setting('MASTER_KEY_ID'));
export const accounts = () => accountStore(table(), vault());
export const analytics = () => analyticsStore(table());
export const apiKeys = () => apiKeyStore(table());
export const attempts = () => attemptStore(table(), vault());
export const checkoutKeys = () => checkoutKeyStore(table());
export const payments = () => paymentStore(table(), vault());
export const sessions = () => sessionStore(table(), vault());
export const consents = () => consentStore(table(), vault());
export const contacts = () => contactStore(table(), vault());
export const credits = () => creditStore(table(), vault());
export const deliveries = () => deliveryStore(table(), vault());
export const messages = () => messageStore(table(), vault());
export const methods = () => methodStore(table(), vault());
export const events = () => eventStore(table(), vault());
export const paces = () => paceStore(table());
export const rates = () => rateStore(table());
export const refunds = () => refundStore(table(), vault());
export const replays = () => replayStore(table(), vault());
export const sends = () => sendStore(table(), vault());
export const stranded = () => strandedStore(table());
export const strikes = () => strikeStore(table());
export const templates = () => templateStore(table(), vault());
export const textSends = () => textSendStore(table(), vault());
export const textTurns = () => textTurnStore(table());
export const traffic = () => trafficStore(table(), vault());
export const unreported = () => unreportedStore(table(), vault());
export const windows = () => windowStore(table(), vault());
export const webhooks = () => webhookStore(table(), vault(), 'messaging');
export const allWebhooks = () => webhookStore(table(), vault());
export const checkoutWebhooks = () => webhookStore(table(), vault(), 'checkout');

/** What is done with several stores, the same for every function that does it. */
export const inboundReceiver = () =>
  inbound.inboundReceiver({ contacts: contacts(), consents: consents(), windows: windows() });
export const outcomeRecorder = () => outcome.outcomeRecorder({ messages: messages(), contacts: contacts() });
export const templateSync = () => sync.templateSync(templates());

/** Chooses when failed jobs come back. */
export const redelivery = () =>
  openRedelivery(sqs(), process.env['AWS_ENDPOINT_URL_SQS'] ?? `https://sqs.${setting('AWS_REGION')}.amazonaws.com`);

/** Messages that have begun to be sent, to be looked at again later. */
export const interruptedSendsQueue = () => openQueue<MessageJob>(sqs(), setting('INTERRUPTED_SENDS_QUEUE_URL'));

/** Texts that are to be sent. */
export const textQueues = () => ({
  sms: openQueue<TextJob>(sqs(), setting('SMS_QUEUE_URL')),
  whatsapp: openQueue<TextJob>(sqs(), setting('WHATSAPP_QUEUE_URL')),
});

/** What goes round all accounts, a page of them at a time. */
export const strandedWorkQueue = () => openQueue<StrandedJob>(sqs(), setting('STRANDED_WORK_QUEUE_URL'));
export const templateSyncsQueue = () => openQueue<RoundJob>(sqs(), setting('TEMPLATE_SYNCS_QUEUE_URL'));

/** Events whose deliveries are to begin. */
export const webhookEventsQueue = () => openQueue<FanOutJob>(sqs(), setting('WEBHOOK_EVENTS_QUEUE_URL'));

export const webhookDeliveriesQueue = () => openQueue<DeliveryJob>(sqs(), setting('WEBHOOK_DELIVERIES_QUEUE_URL'));

/** Attempts that have their turn later. */
export const lateWebhookDeliveriesQueue = () =>
  openLateQueue<DeliveryJob>({
    queue: webhookDeliveriesQueue(),
    queueArn: setting('WEBHOOK_DELIVERIES_QUEUE_ARN'),
    scheduler: new SchedulerClient(retriedSettings),
    roleArn: setting('SCHEDULER_ROLE_ARN'),
  });

/** Attempts at targets that take long. */
export const slowWebhookDeliveriesQueue = () =>
  openQueue<DeliveryJob>(sqs(), setting('SLOW_WEBHOOK_DELIVERIES_QUEUE_URL'));

export const deletedWebhooksQueue = () => openQueue<DeletionJob>(sqs(), setting('DELETED_WEBHOOKS_QUEUE_URL'));

/** Unless a deployment says otherwise, what accounts may have called is on the public internet. */
const allowedTargets = () => (setting('WEBHOOK_TARGETS') === 'any' ? () => true : isPublicAddress);

export const webhookTarget = () => pinnedPost({ isAllowed: allowedTargets() });

export const email = () =>
  sesProvider(new SESClient(singleCallSettings), { configurationSet: setting('MAIL_CONFIGURATION_SET') });

/** Where the simulator of providers is, which is on the local stack alone, its own variable says. */
const simulatorUrl = () => process.env['SIMULATOR_URL'];
const smsDeployment = (): TextDeployment => ({ provider: setting('SMS_PROVIDER'), simulatorUrl: simulatorUrl() });
const whatsappDeployment = (): TextDeployment => ({
  provider: setting('WHATSAPP_PROVIDER'),
  simulatorUrl: simulatorUrl(),
});

/** How an account's sms leave, and how news of them are read; undefined when there is no way. */
export const smsSettings = () => {
  const deployment = smsDeployment();
  return (account: Pick<AccountSettings, 'sms'>) => smsSettingsOf(account, deployment);
};
/** How an account's WhatsApp messages leave, and how news of them are read; undefined when there is no way. */
export const whatsappSettings = () => {
  const deployment = whatsappDeployment();
  return (account: Pick<AccountSettings, 'whatsapp'>) => metaSettingsOf(account, deployment);
};

const requestAnywhere = () => pinnedRequest({ isAllowed: () => true });

export const smsProviders = () =>
  smsProviderFor({
    deployment: smsDeployment(),
    aws: new PinpointSMSVoiceV2Client(singleCallSettings),
    configurationSetName: setting('SMS_CONFIGURATION_SET'),
    request: pinnedRequest({ isAllowed: allowedTargets() }),
    requestAnywhere: requestAnywhere(),
  });

export const whatsappProviders = () =>
  whatsappProviderFor({ deployment: whatsappDeployment(), request: requestAnywhere() });

export { metaTemplates } from './providers/text/meta-templates.ts';

export const messageLinks = () => links.messageLinks(vault(), setting('PUBLIC_BASE_URL'));
export const messageTokens = () => links.messageTokens(vault());
export const callbackUrls = () => callbacks.callbackUrls(vault(), setting('PUBLIC_BASE_URL'));
export const inboundTokens = () => callbacks.inboundTokens(vault());

/** The topic that feeds the function. Where SNS is, the SDK's own variable says if anything does. */
export const topic = () =>
  snsMessages({
    origin: process.env['AWS_ENDPOINT_URL_SNS'] ?? `https://sns.${setting('AWS_REGION')}.amazonaws.com`,
    topicArn: setting('TOPIC_ARN'),
  });

export const checkoutAddresses = () => addresses.checkoutAddresses(setting('PUBLIC_BASE_URL'));

/** What is to be done with sessions' money. */
export const paymentsQueue = () => openQueue<PaymentJob>(sqs(), setting('PAYMENTS_QUEUE_URL'));

export const latePaymentsQueue = () =>
  openLateQueue<PaymentJob>({
    queue: paymentsQueue(),
    queueArn: setting('PAYMENTS_QUEUE_ARN'),
    scheduler: new SchedulerClient(retriedSettings),
    roleArn: setting('SCHEDULER_ROLE_ARN'),
  });

/** The gateways of test mode, which answer at once. */
const simulatedGateways = (): Gateways => {
  const gateway = simulator({ timeoutSeconds: Number(setting('SIM_TIMEOUT_SECONDS')), clock: Date.now });
  return async (_, payment) => (isSimulated(payment) ? gateway : undefined);
};

/** The gateways that take real money. */
export const realGateways = (): Gateways =>
  gatewaysWith({
    methods: methods(),
    tokens: gatewayTokenStore(table(), vault()),
    urls: { sslcommerz: setting('SSLCOMMERZ_URL'), bkash: setting('BKASH_URL') },
  });

export const gateways = (): Gateways => {
  const [simulated, real] = [simulatedGateways(), realGateways()];
  return async (account, payment) => (await simulated(account, payment)) ?? real(account, payment);
};

const resolverWith = (asked: Gateways) =>
  paymentResolver({ payments: payments(), accounts: accounts(), gateways: asked, addresses: checkoutAddresses() });

/** Settles payments, by asking their gateways. */
export const resolver = () => resolverWith(gateways());

/** Settles payments of test mode within a request, which waits for no real gateway. */
export const simulatedResolver = () => resolverWith(simulatedGateways());

export const workRefund = () =>
  refundWorker({ refunds: refunds(), gateways: gateways(), addresses: checkoutAddresses() });
