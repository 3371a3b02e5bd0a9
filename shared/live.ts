import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SESClient } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import { openQueue } from './aws/queue.ts';
import { dataKeyMaker, openVault } from './aws/vault.ts';
import { apiKeySurface } from './http/api-key-surface.ts';
import { setting } from './kit/setting.ts';
import type { MessageJob } from './messages/jobs.ts';
import { sesProvider } from './providers/email/ses.ts';
import { accountStorage } from './table/account-storage.ts';
import { apiKeyStorage } from './table/api-key-storage.ts';
import { messageStorage } from './table/message-storage.ts';
import { replayStorage } from './table/replay-storage.ts';
import { sendStorage } from './table/send-storage.ts';
import { openTable } from './table/table.ts';

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
export const apiKeys = () => apiKeyStorage(table());
export const messages = () => messageStorage(table(), vault());
export const sends = () => sendStorage(table(), vault());

/** Emails that have begun to be sent, to be looked at again later. */
export const interruptedSends = () => openQueue<MessageJob>(sqs(), setting('INTERRUPTED_SENDS_QUEUE_URL'));

/** The provider decides itself what may be tried again, so the client never does. */
export const email = () => sesProvider(new SESClient({ maxAttempts: 1 }));

/** Callers of the messaging API; which scope they need stands in the function's row. */
export const apiKeyCallers = () =>
  apiKeySurface({ apiKeys: apiKeys(), replays: replayStorage(table(), vault()), scope: setting('SCOPE') });
