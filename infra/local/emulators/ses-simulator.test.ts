import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startSes } from './ses.ts';
import { readStore, recordNotifications, send, startTestSes, temporaryDirectory } from './ses-fixture.ts';

const at = (localPart: string) => `${localPart}@simulator.amazonses.com`;

describe('the recipient chooses the published events', () => {
  it.each([
    ['anyone@example.org', ['Send', 'Delivery']],
    [at('success'), ['Send', 'Delivery']],
    [at('ooto'), ['Send', 'Delivery']],
    ['bounce@example.org', ['Send', 'Delivery']],
    [at('bounce'), ['Send', 'Bounce']],
    [at('bounce+order17'), ['Send', 'Bounce']],
    [at('Bounce').toUpperCase(), ['Send', 'Bounce']],
    [at('suppressionlist'), ['Send', 'Bounce']],
    [at('complaint+a+b'), ['Send', 'Delivery', 'Complaint']],
    [at('reject+1'), ['Reject']],
  ])('%s: %j', async (to, expected) => {
    const { record, eventTypes } = recordNotifications();
    const { url } = await startTestSes({ simulatorDelayMs: 1, onNotification: record });
    await send(url, { to });
    await expect.poll(eventTypes).toEqual(expected);
  });

  it('each recipient of a mail has its own outcome', async () => {
    const { notifications, record } = recordNotifications();
    const { url } = await startTestSes({ simulatorDelayMs: 1, onNotification: record });
    await send(url, { to: ['ada@example.org', at('bounce'), at('suppressionlist'), at('complaint')] });
    await expect
      .poll(() => notifications)
      .toMatchObject([
        { eventType: 'Send' },
        { delivery: { recipients: ['ada@example.org', at('complaint')] } },
        { bounce: { bounceSubType: 'General', bouncedRecipients: [{ emailAddress: at('bounce') }] } },
        { bounce: { bounceSubType: 'Suppressed', bouncedRecipients: [{ emailAddress: at('suppressionlist') }] } },
        { complaint: { complainedRecipients: [{ emailAddress: at('complaint') }] } },
      ]);
  });
});

describe('a notification', () => {
  it('contains the mail with its message tags, and the details of a bounce, as from SES', async () => {
    const { notifications, record } = recordNotifications();
    const { url } = await startTestSes({ simulatorDelayMs: 1, onNotification: record });
    const messageId = await send(
      url,
      { to: at('bounce'), subject: 'Café', headers: { 'X-Note': 'n' } },
      { ConfigurationSetName: 'events', Tags: [{ Name: 'messageId', Value: 'm-1' }] },
    );

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await expect
      .poll(() => notifications[1])
      .toEqual({
        eventType: 'Bounce',
        mail: {
          timestamp: time,
          messageId,
          source: 'shop@example.com',
          sourceArn: 'arn:aws:ses:us-east-1:000000000000:identity/example.com',
          sendingAccountId: '000000000000',
          destination: [at('bounce')],
          headersTruncated: false,
          headers: expect.arrayContaining([{ name: 'X-Note', value: 'n' }]),
          commonHeaders: {
            from: ['"Shop" <shop@example.com>'],
            replyTo: [],
            to: [at('bounce')],
            cc: [],
            messageId,
            subject: 'Café',
          },
          tags: {
            'ses:operation': ['SendRawEmail'],
            'ses:configuration-set': ['events'],
            'ses:source-ip': ['127.0.0.1'],
            'ses:from-domain': ['example.com'],
            'ses:caller-identity': ['local'],
            messageId: ['m-1'],
          },
        },
        bounce: {
          bounceType: 'Permanent',
          bounceSubType: 'General',
          bouncedRecipients: [
            {
              emailAddress: at('bounce'),
              action: 'failed',
              status: '5.1.1',
              diagnosticCode: 'smtp; 550 5.1.1 user unknown',
            },
          ],
          timestamp: time,
          feedbackId: expect.any(String),
          reportingMTA: 'dsn; localhost',
        },
      });
  });

  it('is sent after the delay', async () => {
    const { notifications, record } = recordNotifications();
    const { url } = await startTestSes({ simulatorDelayMs: 400, onNotification: record });
    const sentAtMs = Date.now();
    await send(url);
    await expect.poll(() => notifications.length, { interval: 10 }).toBeGreaterThan(0);
    expect(Date.now() - sentAtMs).toBeGreaterThanOrEqual(400);
  });

  it('is repeated after a refusal, and the next one is sent only when it is accepted', async () => {
    const { record, eventTypes } = recordNotifications();
    let refusals = 2;
    const { url } = await startTestSes({
      simulatorDelayMs: 1,
      onNotification: async (notification) => {
        record(notification);
        if (refusals-- > 0) throw new Error('not now');
      },
    });
    await send(url);
    await expect.poll(eventTypes).toEqual(['Send', 'Send', 'Send', 'Delivery']);
  });

  it('of one mail does not wait for another mail', async () => {
    const { record, eventTypes } = recordNotifications();
    const { url } = await startTestSes({
      simulatorDelayMs: 1,
      onNotification: (notification) => {
        record(notification);
        return notification.mail.commonHeaders.subject === 'stuck' ? new Promise(() => {}) : undefined;
      },
    });
    await send(url, { subject: 'stuck' });
    await send(url, { subject: 'free' });
    await expect.poll(eventTypes).toEqual(['Send', 'Send', 'Delivery']);
  });

  it('is not lost when the process is killed', async () => {
    const dataDirectory = temporaryDirectory();
    const url = await startAndKill(dataDirectory, (address) => send(address, { subject: 'kept' }));
    await expect(fetch(url)).rejects.toThrow();

    const { record, eventTypes } = recordNotifications();
    const second = await startTestSes({ dataDirectory, onNotification: record });
    expect(await readStore(second.url)).toMatchObject({ emails: [{ subject: 'kept' }] });
    await expect.poll(eventTypes).toEqual(['Send', 'Delivery']);
  });

  it('is published once, not again after a restart', async () => {
    const dataDirectory = temporaryDirectory();
    const before = recordNotifications();
    const first = await startSes({ dataDirectory, simulatorDelayMs: 1, onNotification: before.record });
    await send(first.url, { subject: 'old' });
    await expect.poll(before.eventTypes).toEqual(['Send', 'Delivery']);
    await first.close();

    const after = recordNotifications();
    const second = await startTestSes({ dataDirectory, simulatorDelayMs: 1, onNotification: after.record });
    await send(second.url, { subject: 'new', to: at('reject') });
    await expect.poll(after.eventTypes).toEqual(['Reject']);
  });
});

/** Runs an emulator whose notifications are all refused, in a separate process that is killed. */
async function startAndKill(dataDirectory: string, meanwhile: (url: string) => Promise<unknown>): Promise<string> {
  const script = `
    const { startSes } = await import(${JSON.stringify(new URL('ses.ts', import.meta.url).href)});
    const onNotification = () => Promise.reject(new Error('not now'));
    const { url } = await startSes({ dataDirectory: process.argv[1], simulatorDelayMs: 1, onNotification });
    process.stdout.write(url);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDirectory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(child.stdout, 'data');
  const url = String(output);
  await meanwhile(url);
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  return url;
}
