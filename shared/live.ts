import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SESClient } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import { openQueue } from './aws/queue.ts';
import { openLateQueue } from './aws/schedule.ts';
import { snsMessages } from './aws/sns-messages.ts';
import { dataKeyMaker, openVault } from './aws/vault.ts';
import { apiKeySurface } from './http/api-key-surface.ts';
import { olderEnvelope } from './http/surface.ts';
import { setting } from './kit/setting.ts';
import type { MessageJob } from './messages/jobs.ts';
import * as unsubscribe from './messages/unsubscribe-link.ts';
import { sesProvider, sesSettings } from './providers/email/ses.ts';
import { pinnedPost } from './providers/webhook/pinned-post.ts';
import { accountStorage } from './table/account-storage.ts';
import { analyticsStorage } from './table/analytics-storage.ts';
import { apiKeyStorage } from './table/api-key-storage.ts';
import { attemptStorage } from './table/attempt-storage.ts';
import { contactStorage } from './table/contact-storage.ts';
import { deliveryStorage } from './table/delivery-storage.ts';
import { messageStorage } from './table/message-storage.ts';
import { outcomeStorage } from './table/outcome-storage.ts';
import { paceStorage } from './table/pace-storage.ts';
import { replayStorage } from './table/replay-storage.ts';
import { sendStorage } from './table/send-storage.ts';
import { openTable } from './table/table.ts';
import { templateStorage } from './table/template-storage.ts';
import { trafficStorage } from './table/traffic-storage.ts';
import { webhookStorage } from './table/webhook-storage.ts';
import type { DeletionJob, DeliveryJob } from './webhooks/jobs.ts';
import { isPublicAddress } from './webhooks/public-address.ts';

/**
 * The real things, by name; only `main.ts` files import this. Each is made when it is asked for, so a bundle holds what its function uses.
 */

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const table = /* @__PURE__ */ once(() => openTable(new DynamoDBClient(), setting('TABLE_NAME')));
const kms = /* @__PURE__ */ once(() => new KMSClient());
const sqs = /* @__PURE__ */ once(() => new SQSClient());
const vault = /* @__PURE__ */ once(() => openVault(kms()));

export const dataKeys = () => dataKeyMaker(kms(), setting('MASTER_KEY_ID'));
export const accounts = () => accountStorage(table(), vault());
export const analytics = () => analyticsStorage(table());
export const apiKeys = () => apiKeyStorage(table());
export const attempts = () => attemptStorage(table(), vault());
export const contacts = () => contactStorage(table(), vault());
export const deliveries = () => deliveryStorage(table(), vault());
export const messages = () => messageStorage(table(), vault());
export const outcomes = () => outcomeStorage(table(), vault(), { messages: messages(), contacts: contacts() });
export const paces = () => paceStorage(table());
export const sends = () => sendStorage(table(), vault());
export const templates = () => templateStorage(table(), vault());
export const traffic = () => trafficStorage(table(), vault());
export const webhooks = () => webhookStorage(table(), vault(), 'messaging');
export const allWebhooks = () => webhookStorage(table(), vault());
export const checkoutWebhooks = () => webhookStorage(table(), vault(), 'checkout');

/** Emails that have begun to be sent, to be looked at again later. */
export const interruptedSends = () => openQueue<MessageJob>(sqs(), setting('INTERRUPTED_SENDS_QUEUE_URL'));

export const webhookDeliveries = () => openQueue<DeliveryJob>(sqs(), setting('WEBHOOK_DELIVERIES_QUEUE_URL'));

/** Attempts that have their turn later. */
export const lateWebhookDeliveries = () =>
  openLateQueue<DeliveryJob>({
    queue: webhookDeliveries(),
    queueArn: setting('WEBHOOK_DELIVERIES_QUEUE_ARN'),
    scheduler: new SchedulerClient(),
    roleArn: setting('SCHEDULER_ROLE_ARN'),
  });

/** Attempts at targets that take long. */
export const slowWebhookDeliveries = () => openQueue<DeliveryJob>(sqs(), setting('SLOW_WEBHOOK_DELIVERIES_QUEUE_URL'));

export const deletedWebhooks = () => openQueue<DeletionJob>(sqs(), setting('DELETED_WEBHOOKS_QUEUE_URL'));

/** Unless a deployment says otherwise, targets are on the public internet. */
export const webhookTarget = () =>
  pinnedPost({ isAllowed: setting('WEBHOOK_TARGETS') === 'any' ? () => true : isPublicAddress });

export const email = () =>
  sesProvider(new SESClient(sesSettings), { configurationSet: setting('MAIL_CONFIGURATION_SET') });

export const unsubscribeLinks = () => unsubscribe.unsubscribeLinks(vault(), setting('PUBLIC_BASE_URL'));
export const unsubscribeTokens = () => unsubscribe.unsubscribeTokens(vault());

/** The topic that feeds the function. Where SNS is, the SDK's own variable says if anything does. */
export const topic = () =>
  snsMessages({
    origin: process.env['AWS_ENDPOINT_URL_SNS'] ?? `https://sns.${setting('AWS_REGION')}.amazonaws.com`,
    topicArn: setting('TOPIC_ARN'),
  });

/** Callers of the messaging API; which scope they need stands in the function's row. */
export const apiKeyCallers = () =>
  apiKeySurface({ apiKeys: apiKeys(), replays: replayStorage(table(), vault()), scope: setting('SCOPE') });

/** The same, refused in the older shape. */
export const webhookCallers = () => ({ ...apiKeyCallers(), faultBody: olderEnvelope });
