import type { AccountSettings } from './accounts/account.ts';
import type { RoundJob } from './accounts/round.ts';
import { openAwsService } from './aws/aws-service.ts';
import { openFileStore } from './aws/file-store.ts';
import { openLogSearch } from './aws/log-search.ts';
import { openQueue, type Queue } from './aws/queue.ts';
import { openRedelivery } from './aws/redelivery.ts';
import { openRequestLog } from './aws/request-log.ts';
import { openLateQueue } from './aws/schedule.ts';
import { callerOfFunction, endpointForFunction, urlIn } from './aws/signed-post.ts';
import { snsMessages } from './aws/sns-messages.ts';
import { dataKeyMaker } from './aws/vault.ts';
import * as addresses from './checkout/addresses.ts';
import type { FindAdapter } from './checkout/gateway-adapter.ts';
import { mostLogoBytes } from './checkout/logo.ts';
import type { PaymentJob } from './checkout/payment-job.ts';
import { paymentResolver } from './checkout/resolve.ts';
import { isSimulated } from './checkout/simulation.ts';
import { refundWorker } from './checkout/work-refund.ts';
import type { ChoreJob } from './chores/jobs.ts';
import type { StrandedJob } from './chores/stranded.ts';
import { kms, vaultOf } from './connection.ts';
import { once } from './kit/once.ts';
import { setting } from './kit/setting.ts';
import * as callbacks from './messages/callback-urls.ts';
import type { InterruptedJob, ScheduledJob, TextJob } from './messages/jobs.ts';
import * as links from './messages/message-link.ts';
import { metaSettingsOf, smsSettingsOf, type TextDeployment } from './messages/text-settings.ts';
import { sesProvider } from './providers/email/ses.ts';
import { openSesCall } from './providers/email/ses-call.ts';
import { accountAdapters } from './providers/gateways/account-adapters.ts';
import { simulatorAdapter } from './providers/gateways/simulator.ts';
import { pinnedRequest } from './providers/http/pinned-request.ts';
import { logoFetcher } from './providers/logo/fetch-logo.ts';
import { smsProviderFor, whatsappProviderFor } from './providers/text/choose.ts';
import { pinnedPost } from './providers/webhook/pinned-post.ts';
import { accounts, gatewayTokens, methods, payments, refunds } from './stores.ts';
import { openExportFiles } from './table/transfers/export-files.ts';
import { openImportFiles } from './table/transfers/import-files.ts';
import { openUploadedFiles } from './table/transfers/uploaded-files.ts';
import type { TransferJob } from './transfers/jobs.ts';
import type { DeletionJob, DeliveryJob } from './webhooks/jobs.ts';
import { isPublicAddress } from './webhooks/public-address.ts';
import type { ReplayJob } from './webhooks/replay-span.ts';

/**
 * The real dependencies, by name. Only `main.ts` files and `callers.ts` import this. Each is created on first use, and bundles contain only used ones.
 */

export * from './stores.ts';

const sqs = /* @__PURE__ */ once(() => openAwsService('sqs', endpointForFunction('sqs')));

export const dataKeys = () => dataKeyMaker(kms(), setting('MASTER_KEY_ID'));

/** The deployment's files. The SDK's own variable overrides the URL of S3. */
const files = /* @__PURE__ */ once(() => {
  const bucket = setting('FILES_BUCKET');
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'];
  const url = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${setting('AWS_REGION')}.amazonaws.com`;
  return openFileStore({ url, ...callerOfFunction() });
});
export const uploadedFiles = () => openUploadedFiles(files());
export const importFiles = () => openImportFiles(files());
export const exportFiles = () => openExportFiles(files());

/** What the functions that answer requests have logged. */
export const requestLog = () => {
  const logs = openAwsService('logs', endpointForFunction('logs'), { withinMs: 8_000 });
  return openRequestLog(openLogSearch(logs, setting('REQUEST_LOG_GROUP')));
};

/** Sets when failed jobs return. */
export const redelivery = () => openRedelivery(sqs(), urlIn(setting('AWS_REGION'), 'sqs'));

/** A queue that the outbox feeds. */
export const outboxQueue = (urlSetting: string) => openQueue<object>(sqs(), setting(urlSetting));

/** Emails whose send has begun, for a later check. */
export const interruptedSendsQueue = () => openQueue<InterruptedJob>(sqs(), setting('INTERRUPTED_SENDS_QUEUE_URL'));

/** Scheduled messages whose time has come. */
export const scheduledQueue = () => openQueue<ScheduledJob>(sqs(), setting('SCHEDULED_QUEUE_URL'));

/** Texts to send. */
export const textQueues = () => ({
  sms: openQueue<TextJob>(sqs(), setting('SMS_QUEUE_URL')),
  whatsapp: openQueue<TextJob>(sqs(), setting('WHATSAPP_QUEUE_URL')),
});

/** One kind of the chores' jobs. */
const chores = <Job>(choreOf: (job: Job) => ChoreJob): Queue<Job> => {
  const queue = openQueue<ChoreJob>(sqs(), setting('CHORES_QUEUE_URL'));
  return { send: (jobs, options) => queue.send(jobs.map(choreOf), options) };
};

/** Rounds over all accounts, a page at a time. */
export const strandedWorkQueue = () => chores<StrandedJob>((round) => ({ kind: 'find-stranded', round }));
export const templateSyncsQueue = () => chores<RoundJob>((round) => ({ kind: 'sync-templates', round }));

/** Attempts of deliveries. */
export const webhookDeliveriesQueue = () => openQueue<DeliveryJob>(sqs(), setting('WEBHOOK_DELIVERIES_QUEUE_URL'));

/** Delayed attempts. */
export const lateWebhookDeliveriesQueue = () =>
  openLateQueue<DeliveryJob>({
    queue: webhookDeliveriesQueue(),
    queueArn: setting('WEBHOOK_DELIVERIES_QUEUE_ARN'),
    scheduler: openAwsService('scheduler', endpointForFunction('scheduler')),
    roleArn: setting('SCHEDULER_ROLE_ARN'),
    groupName: setting('SCHEDULE_GROUP'),
  });

/** Attempts at slow targets. */
export const slowWebhookDeliveriesQueue = () =>
  openQueue<DeliveryJob>(sqs(), setting('SLOW_WEBHOOK_DELIVERIES_QUEUE_URL'));

export const replaysQueue = () => chores<ReplayJob>((job) => ({ kind: 'replay', ...job }));

/** Runs of imports and exports. */
export const transfersQueue = () => chores<TransferJob>((job) => ({ kind: 'transfer', ...job }));

export const deletedWebhooksQueue = () => chores<DeletionJob>((job) => ({ kind: 'delete-log', ...job }));

/** By default, accounts' targets and gateways must have public addresses. */
const allowedTargets = () => (setting('WEBHOOK_TARGETS') === 'any' ? () => true : isPublicAddress);

export const webhookTarget = () => pinnedPost({ isAllowed: allowedTargets() });

/** Reads merchants' logos. */
export const fetchLogo = () =>
  logoFetcher(pinnedRequest({ isAllowed: allowedTargets(), timeoutMs: 5_000, mostBytes: mostLogoBytes + 1 }));

export const email = () =>
  sesProvider(openSesCall(endpointForFunction('ses')), { configurationSet: setting('MAIL_CONFIGURATION_SET') });

/** The URL of the simulated providers, which is set on the local stack only. */
const simulatorUrl = () => process.env['SIMULATOR_URL'];
const smsDeployment = (): TextDeployment => ({ provider: setting('SMS_PROVIDER'), simulatorUrl: simulatorUrl() });
const whatsappDeployment = (): TextDeployment => ({
  provider: setting('WHATSAPP_PROVIDER'),
  simulatorUrl: simulatorUrl(),
});

/** The sms adapter of an account, and the reader of its reports; undefined when it has none. */
export const smsSettings = () => {
  const deployment = smsDeployment();
  return (account: Pick<AccountSettings, 'sms'>) => smsSettingsOf(account, deployment);
};
/** The WhatsApp adapter of an account, and the reader of its notifications; undefined when it has none. */
export const whatsappSettings = () => {
  const deployment = whatsappDeployment();
  return (account: Pick<AccountSettings, 'whatsapp'>) => metaSettingsOf(account, deployment);
};

const requestAnywhere = () => pinnedRequest({ isAllowed: () => true });

export const smsProviders = () =>
  smsProviderFor({
    deployment: smsDeployment(),
    aws: openAwsService('sms-voice', endpointForFunction('sms-voice'), { isKept: false, withinMs: 10_000 }),
    configurationSetName: process.env['SMS_CONFIGURATION_SET'],
    request: pinnedRequest({ isAllowed: allowedTargets() }),
    requestAnywhere: requestAnywhere(),
  });

export const whatsappProviders = () =>
  whatsappProviderFor({ deployment: whatsappDeployment(), request: requestAnywhere() });

export { metaTemplates } from './providers/text/meta-templates.ts';

export const messageLinks = () => links.messageLinks(vaultOf(), setting('PUBLIC_BASE_URL'));
export const messageTokens = () => links.messageTokens(vaultOf());
export const callbackUrls = () => callbacks.callbackUrls(vaultOf(), setting('PUBLIC_BASE_URL'));
export const inboundTokens = () => callbacks.inboundTokens(vaultOf());

/** The topic that feeds the function. The SDK's own variable overrides the URL of SNS. */
export const topic = () =>
  snsMessages({
    origin: process.env['AWS_ENDPOINT_URL_SNS'] ?? `https://sns.${setting('AWS_REGION')}.amazonaws.com`,
    topicArn: setting('TOPIC_ARN'),
  });

export const checkoutAddresses = () => addresses.checkoutAddresses(setting('PUBLIC_BASE_URL'));

/** Jobs of payments and refunds. */
export const paymentsQueue = () => openQueue<PaymentJob>(sqs(), setting('PAYMENTS_QUEUE_URL'));

/** The simulated gateways of test mode, which answer at once. */
const findSimulatedAdapter = (): FindAdapter => {
  const gateway = simulatorAdapter({ timeoutSeconds: Number(setting('SIM_TIMEOUT_SECONDS')), clock: Date.now });
  return async (_, payment) => (isSimulated(payment) ? gateway : undefined);
};

/** The gateways of live mode. */
export const findRealAdapter = (): FindAdapter =>
  accountAdapters({
    methods: methods(),
    tokens: gatewayTokens(),
    urls: { sslcommerz: setting('SSLCOMMERZ_URL'), bkash: setting('BKASH_URL') },
  });

export const findAdapter = (): FindAdapter => {
  const [simulated, real] = [findSimulatedAdapter(), findRealAdapter()];
  return async (account, payment) => (await simulated(account, payment)) ?? real(account, payment);
};

const resolverWith = (asked: FindAdapter) =>
  paymentResolver({ payments: payments(), accounts: accounts(), findAdapter: asked, addresses: checkoutAddresses() });

/** Settles payments according to their gateways. */
export const resolver = () => resolverWith(findAdapter());

/** Settles test-mode payments within a request, because no real gateway is called. */
export const simulatedResolver = () => resolverWith(findSimulatedAdapter());

export const workRefund = () =>
  refundWorker({ refunds: refunds(), findAdapter: findAdapter(), addresses: checkoutAddresses() });
