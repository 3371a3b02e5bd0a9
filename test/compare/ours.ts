import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListQueuesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { assemblyFolder } from '../../infra/local/data-directory.ts';
import { localClient } from '../../infra/local/local-client.ts';
import { stampFile } from '../../infra/local/synth.ts';
import type { MessageEventJob } from '../../shared/messages/jobs.ts';
import { type EventName, eventNames } from '../../shared/webhooks/events.ts';
import { eventIdOf } from '../../shared/webhooks/payload.ts';
import { startStackProcess } from '../stack-process.ts';
import type { StartSide } from './workload.ts';

const atOnce = 8;
const mostPerCall = 10;

/** What a message was before its event and is after it. */
const stateOf = (name: EventName, at: string) => ({
  status: name.replace('message.', '') as 'sent' | 'delivered' | 'failed' | 'bounced',
  sentAt: name === 'message.sent' ? at : null,
  deliveredAt: name === 'message.delivered' ? at : null,
  failedAt: name === 'message.failed' ? at : null,
});

/**
 * The local stack: functions beside emulators of DynamoDB and SQS. Its events are jobs of the queue to which the table's stream leads, of
 * messages that wait for tomorrow: each of them may still have all its events.
 */
export const startOurs: StartSide = async (endpoint, events) => {
  const directory = mkdtempSync(join(tmpdir(), 'compare-'));
  const stack = await startStackProcess(directory, { arguments: ['--quiet'], environment: { LOG_LEVEL: 'info' } });
  while (!existsSync(join(directory, assemblyFolder, stampFile))) await sleep(200);
  const { aws, apiBaseUrl, adminBaseUrl, adminToken, accountId, keys, pid } = stack.file;
  const call = async (url: string, headers: Readonly<Record<string, string>>, method: string, body: object) => {
    const options = { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
    const answer = await fetch(url, options);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    return text;
  };
  const operator = { authorization: `Bearer ${adminToken}` };
  await call(`${adminBaseUrl}/accounts/${accountId}/credits`, operator, 'PUT', {
    email: 1e6,
    smsMasked: 0,
    smsNonMasked: 0,
  });
  const key = { 'x-api-key': keys.messaging };
  await call(`${apiBaseUrl}/webhooks`, key, 'POST', { name: 'compared', url: endpoint, events: eventNames });

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const messages: string[] = [];
  const open = Array(Math.ceil(events / eventNames.length)).keys();
  const accept = async (): Promise<void> => {
    for (const n of open) {
      const mail = { channel: 'email', to: `reader${n % 20}@example.com`, subject: 'Hello', text: 'It works.' };
      const text = await call(`${apiBaseUrl}/messages`, key, 'POST', { ...mail, sendAt: tomorrow });
      messages.push(/"id":"([^"]+)"/.exec(text)?.[1] ?? '');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, accept));

  const sqs = new SQSClient({ ...localClient(aws['sqs'] ?? ''), maxAttempts: 5 });
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const QueueUrl = QueueUrls.find((url) => /-messageevents[0-9A-F]{8}$/.test(url));
  const before = { status: 'queued' as const, sentAt: null, deliveredAt: null, failedAt: null };
  const jobOf = (number: number): MessageEventJob => {
    const name = eventNames[number % eventNames.length] ?? 'message.sent';
    const message = messages[Math.floor(number / eventNames.length)] ?? '';
    const at = new Date().toISOString();
    return {
      account: accountId,
      message,
      channel: 'email',
      ...stateOf(name, at),
      failureCode: null,
      before,
      atMs: Date.parse(at),
    };
  };
  const numbers = new Map<string, number>();
  return {
    name: 'this product, local stack',
    pids: [pid],
    parts: {
      'publish-events': /webhooks-publish-events/,
      'attempt-delivery': /webhooks-attempt-delivery/,
      'other functions': /function-process/,
      'DynamoDB emulator': /dynoxide/,
      'SQS emulator and event source mappings': /local\/main/,
    },
    publish: async (from, count) => {
      const calls = Array.from({ length: Math.ceil(count / mostPerCall) }, (_, n) => n * mostPerCall);
      await Promise.all(
        calls.map((start) => {
          const some = Array.from({ length: Math.min(mostPerCall, count - start) }, (_, n) => from + start + n);
          const Entries = some.map((number) => {
            const job = jobOf(number);
            numbers.set(eventIdOf(job.message, eventNames[number % eventNames.length] ?? 'message.sent'), number);
            return { Id: `${number}`, MessageBody: JSON.stringify(job) };
          });
          return sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
        }),
      );
    },
    numberOf: (body) => numbers.get(/"id":"([^"]+)"/.exec(body)?.[1] ?? '') ?? -1,
    close: async () => {
      await stack.stop();
      sqs.destroy();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
