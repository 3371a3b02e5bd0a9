import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { localClient } from '../../infra/local/local-client.ts';
import { recountMessages } from '../recount-messages.ts';
import type { StackFile } from '../stack-process.ts';
import type { Traffic } from './traffic.ts';

const event = z.object({
  id: z.string(),
  event: z.string(),
  data: z.object({ message: z.object({ id: z.string() }) }),
});
const mails = z.object({ emails: z.array(z.object({ subject: z.string() })) });

const repeated = (all: readonly string[]): string[] => all.filter((one, n) => all.indexOf(one) !== n);

/** Jobs that wait in any queue, or are being worked on. Jobs that are due later are left out. */
export const jobsWaiting = async ({ aws }: StackFile): Promise<number> => {
  const sqs = new SQSClient(localClient(aws['sqs'] ?? ''));
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand());
  const counts = await Promise.all(
    QueueUrls.map(async (QueueUrl) => {
      const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }),
      );
      return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
    }),
  );
  sqs.destroy();
  return counts.reduce((sum, count) => sum + count, 0);
};

/** How many webhooks brought an event once more: they come at least once, and whoever is killed between a call and its row makes it again. */
export const repeatedWebhooks = ({ received }: Traffic): number =>
  received.length - new Set(received.map(({ body }) => event.parse(JSON.parse(body)).id)).size;

/** What is not as it must be, one sentence each; none while all is well. */
export const complaints = async (file: StackFile, traffic: Traffic, creditsBefore: number): Promise<string[]> => {
  const { messages: client, merchant, accepted, sessions, received } = traffic;
  const found: string[] = [];
  const expectNone = (what: string, some: readonly string[]): void => {
    if (some.length > 0) found.push(`${some.length} ${what}: ${some.slice(0, 3).join(', ')}`);
  };

  const messages = await Array.fromAsync(client.all('GET /messages', { query: { limit: 100 } }));
  const ids = new Set(messages.map(({ id }) => id));
  expectNone(
    'accepted messages are lost',
    [...accepted].filter((id) => !ids.has(id)),
  );
  const open = messages.filter(({ status }) => !/^(delivered|failed)$/.test(status));
  expectNone(
    'messages have no final status',
    open.map(({ id, status }) => `${id} ${status}`),
  );

  const store = mails.parse(await (await fetch(`${file.inboxUrl}/store`)).json());
  expectNone('mails were sent twice', repeated(store.emails.map(({ subject }) => subject)));

  const events = received.map(({ body }) => event.parse(JSON.parse(body)));
  const seen = new Set(events.map((one) => `${one.event} ${one.data.message.id}`));
  const due = messages.flatMap(({ id, status }) =>
    (status === 'failed' ? ['message.failed'] : ['message.sent', 'message.delivered']).map((name) => `${name} ${id}`),
  );
  expectNone(
    'events did not arrive',
    due.filter((one) => !seen.has(one)),
  );
  const sequences = new Set(received.map(({ headers }) => Number(headers['x-service-sequence'])));
  const missing = Array.from({ length: Math.max(0, ...sequences) }, (_, n) => n + 1).filter((n) => !sequences.has(n));
  expectNone('sequence numbers are missing', missing.map(String));
  const { totalSent } = (await client.call('GET /webhooks/{id}', { path: { id: traffic.webhook } })).data;
  const distinct = new Set(events.map(({ id }) => id)).size;
  if (totalSent !== distinct) found.push(`the subscription counts ${totalSent} deliveries of ${distinct} events`);

  const { channels } = (await client.call('GET /analytics/messages')).data;
  const { total, delivered, failed } = recountMessages(messages)['email'] ?? {};
  const counted = channels.email;
  if (counted.total !== total || counted.delivered !== delivered || counted.failed !== failed)
    found.push(`analytics count ${JSON.stringify(counted)} of ${JSON.stringify({ total, delivered, failed })}`);
  const left = await creditsOf(file);
  if (creditsBefore - left !== delivered)
    found.push(`${creditsBefore - left} credits were paid for ${delivered} mails`);

  const payments = await Array.fromAsync(merchant.all('GET /payments', { query: { limit: 100 } }));
  const succeeded = payments
    .filter(({ status }) => status === 'SUCCEEDED')
    .map(({ checkoutSessionId }) => checkoutSessionId);
  expectNone('sessions were paid twice', repeated(succeeded));
  expectNone(
    'sessions are not paid',
    [...sessions].filter((id) => !succeeded.includes(id)),
  );
  return [...found, ...traffic.refusals.map((refusal) => `a call failed: ${String(refusal)}`)];
};

/** The email credits of the account. */
export const creditsOf = async ({ adminBaseUrl, adminToken, accountId }: StackFile): Promise<number> => {
  const headers = { authorization: `Bearer ${adminToken}` };
  const answer = await fetch(`${adminBaseUrl}/accounts/${accountId}/credits`, { headers });
  return z.object({ data: z.object({ email: z.number() }) }).parse(await answer.json()).data.email;
};
