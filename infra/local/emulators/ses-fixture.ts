import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESClient, SendRawEmailCommand, type SendRawEmailCommandInput } from '@aws-sdk/client-ses';
import MailComposer, { type MailComposerOptions } from 'nodemailer/lib/mail-composer';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { type Ses, type SesNotification, type SesOptions, startSes } from './ses.ts';

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ses-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** An emulator for the running test, closed when it ends. */
export async function startTestSes(options: Partial<SesOptions> = {}): Promise<Ses> {
  const ses = await startSes({ dataDirectory: options.dataDirectory ?? temporaryDirectory(), ...options });
  onTestFinished(() => ses.close());
  return ses;
}

/** The real client, without retries. */
export function clientOf(url: string): SESClient {
  const client = new SESClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());
  return client;
}

export const compose = (mail: MailComposerOptions): Promise<Buffer> =>
  new MailComposer({ from: 'Shop <shop@example.com>', to: 'ada@example.org', subject: 'Hello', text: 'Hi.', ...mail })
    .compile()
    .build();

/** Sends a mail through the real client and returns its id. */
export async function send(
  url: string,
  mail: MailComposerOptions = {},
  input: Partial<SendRawEmailCommandInput> = {},
): Promise<string> {
  const command = new SendRawEmailCommand({ RawMessage: { Data: await compose(mail) }, ...input });
  const { MessageId } = await clientOf(url).send(command);
  return z.string().parse(MessageId);
}

/** The answer of `GET /store`. */
export const readStore = async (url: string, query = ''): Promise<unknown> =>
  (await fetch(`${url}/store${query}`)).json();

/** Records notifications in order of arrival, in full and as short text. */
export function recordNotifications() {
  const notifications: SesNotification[] = [];
  return {
    notifications,
    record: (notification: SesNotification) => {
      notifications.push(notification);
    },
    eventTypes: () => notifications.map(({ eventType }) => eventType),
  };
}
