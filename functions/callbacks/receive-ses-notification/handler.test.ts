import type { SNSEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sns, startSns } from '../../../infra/local/emulators/sns.ts';
import { snsMessages } from '../../../shared/aws/sns-messages.ts';
import { changed } from '../../../shared/contacts/contact.ts';
import { newId } from '../../../shared/kit/id.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { topicListener } from '../../../shared/work/topic-listener.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { receiveSesNotification } from './handler.ts';
import { sesNotification } from './ses-notification.ts';

const ours = 'arn:aws:sns:us-east-1:000000000000:mail-events';
const foreign = 'arn:aws:sns:us-east-1:000000000000:other-events';
const functionArns = ['arn:aws:lambda:us-east-1:000000000000:function:callbacks-receive-ses-notification'];

let world: World;
let account: TestAccount;
let sns: Sns;
/** What the function was given, to be given again. */
let notified: SNSEvent[];
let listen: (event: SNSEvent) => Promise<void>;

beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount({ credits: { email: 1_000 } });
  const topics = [ours, foreign].map((arn) => ({ arn, signatureVersion: '2' as const, functionArns }));
  sns = await startSns({
    topics,
    invoke: async (_, event) => {
      notified.push(event as SNSEvent);
      await listen(event as SNSEvent);
      return { ok: true, payload: null };
    },
  });
});
beforeEach(() => {
  notified = [];
  listen = topicListener(
    snsMessages({ origin: sns.url, topicArn: ours }),
    sesNotification,
    receiveSesNotification(world),
  );
});
afterAll(async () => {
  await sns.close();
  await world.close();
});

interface Sent {
  readonly id: string;
  readonly contactId: string;
}

let recipients = 0;
/** An email that SES has taken, unless its answer was lost. */
const send = async ({ isAnswered = true } = {}): Promise<Sent> => {
  recipients += 1;
  const to = `recipient${recipients}@example.com`;
  const message = newEmail({ channel: 'email', to }, newId(Date.now()));
  await acceptEmail(world, account.ref, message);
  if (isAnswered) await world.messages.move(account.ref, message, 'providerAccepted', Date.now());
  const contactId = (await world.messages.find(account.ref, message.id))?.contactId ?? '';
  return { id: message.id, contactId };
};

const notify = (
  { id }: Sent,
  eventType: string,
  more: object = {},
  { topic = ours, accountId = account.ref.id }: { readonly topic?: string; readonly accountId?: string } = {},
) =>
  sns.publish(topic, {
    subject: 'Amazon SES Email Event Notification',
    message: JSON.stringify({ eventType, mail: { tags: { accountId: [accountId], messageId: [id] } }, ...more }),
  });

it('a Send event sets the time of SES, however late it arrives', async () => {
  const sent = await send({ isAnswered: false });
  const takenAt = new Date(Date.now() - 60_000).toISOString();
  const tags = { accountId: [account.ref.id], messageId: [sent.id] };
  await notify(sent, 'Send', { mail: { timestamp: takenAt, tags } });
  expect((await seen(sent)).message).toMatchObject({ status: 'sent', sentAt: takenAt });
});

it('a time in another form than usual holds up no event', async () => {
  const sent = await send({ isAnswered: false });
  const tags = { accountId: [account.ref.id], messageId: [sent.id] };
  await notify(sent, 'Delivery', { mail: { timestamp: '2026-11-20T14:05:45 +0000', tags } });
  expect((await seen(sent)).message).toMatchObject({ status: 'delivered' });
});

const seen = async ({ id, contactId }: Sent) => ({
  message: await world.messages.find(account.ref, id),
  contact: await world.contacts.find(account.ref, contactId),
});

it('the log names the message of a notification, also where it could not be recorded', async () => {
  const sent = await send();
  await notify(sent, 'Delivery');
  const [event] = notified;
  const failing = topicListener(
    snsMessages({ origin: sns.url, topicArn: ours }),
    sesNotification,
    receiveSesNotification({
      ...world,
      outcomeRecorder: { record: () => Promise.reject(new Error('the table is away')) },
    }),
  );
  const lines = await linesOf(async () => {
    await listen(event ?? { Records: [] });
    await expect(failing(event ?? { Records: [] })).rejects.toThrow();
  });
  const about = { accountId: account.ref.id, messageId: sent.id, notificationId: event?.Records[0]?.Sns.MessageId };
  expect(lines).toMatchObject([
    { message: 'mail event', ...about },
    { message: 'message failed', ...about },
  ]);
});

const bounce = (bounceType: string, bounceSubType = 'General') => ({
  bounce: {
    bounceType,
    bounceSubType,
    bouncedRecipients: [
      { emailAddress: 'a@b.example', action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 unknown' },
    ],
  },
});

const absence = {
  bounce: { bounceType: 'Transient', bounceSubType: 'General', bouncedRecipients: [{ emailAddress: 'a@b.example' }] },
};

describe('an SES notification', () => {
  it.each([
    ['Send', {}, 'sent', 'active', 50],
    ['Delivery', { delivery: {} }, 'delivered', 'active', 51],
    ['Open', { open: {} }, 'opened', 'active', 55],
    ['Click', { click: {} }, 'clicked', 'active', 60],
    ['Bounce', bounce('Permanent'), 'bounced', 'bounced', 25],
    ['Complaint', { complaint: {} }, 'complained', 'complained', 0],
    ['Complaint', { complaint: { complaintSubType: null } }, 'complained', 'complained', 0],
    ['Complaint', { complaint: { complaintFeedbackType: 'abuse' } }, 'complained', 'complained', 0],
    ['Complaint', { complaint: { complaintFeedbackType: 'not-spam' } }, 'sent', 'active', 50],
    ['Complaint', { complaint: { complaintFeedbackType: 'auth-failure' } }, 'sent', 'active', 50],
    ['Reject', { reject: { reason: 'Bad content' } }, 'rejected', 'active', 50],
    ['Rendering Failure', { failure: { errorMessage: 'no such variable' } }, 'failed', 'active', 50],
    ['DeliveryDelay', { deliveryDelay: {} }, 'sent', 'active', 50],
    ['Bounce', bounce('Transient'), 'failed', 'active', 50],
    ['Bounce', bounce('Undetermined'), 'failed', 'active', 50],
    ['Bounce', absence, 'sent', 'active', 50],
    ['Subscription', {}, 'sent', 'active', 50],
    ['Something new', {}, 'sent', 'active', 50],
    ['constructor', {}, 'sent', 'active', 50],
  ])(
    '%s %j: the message is %s, its contact %s with score %i',
    async (eventType, more, status, contactStatus, score) => {
      const sent = await send();
      await notify(sent, eventType, more);
      expect(await seen(sent)).toMatchObject({ message: { status }, contact: { status: contactStatus, score } });
    },
  );

  it.each([
    ['Bounce', bounce('Permanent'), 'bounced'],
    ['Complaint', { complaint: {} }, 'complained'],
  ])(
    '%s: suppresses the address of the mail where its contact has another one now',
    async (eventType, more, reason) => {
      const sent = await send();
      const { message } = await seen(sent);
      await world.contacts.change(account.ref, sent.contactId, (before) =>
        changed(before, { email: `corrected-${before.email}` }, Date.now()),
      );
      await notify(sent, eventType, more);
      expect(await seen(sent)).toMatchObject({ message: { status: reason }, contact: { status: 'active', score: 50 } });
      const suppressed = async (email: string) =>
        (await world.sends.read(account.ref, { channel: 'email', contact: { email } })).suppressed;
      expect(await suppressed(message?.to ?? '')).toBe(reason);
      expect(await suppressed(`corrected-${message?.to}`)).toBeUndefined();
    },
  );

  it('records the reason and the code of a bounce, a rejection and a failure', async () => {
    const cases = [
      ['Bounce', bounce('Permanent'), '5.1.1', 'smtp; 550 unknown', false],
      [
        'Bounce',
        { bounce: { bounceType: 'Permanent', bounceSubType: 'OnAccountSuppressionList', bouncedRecipients: [] } },
        'address_suppressed',
        'The email provider does not send to this address any more.',
        false,
      ],
      [
        'Complaint',
        { complaint: { complaintSubType: 'OnAccountSuppressionList' } },
        'address_suppressed',
        'The email provider does not send to this address any more.',
        false,
      ],
      ['Reject', { reject: { reason: 'Bad content' } }, 'rejected', 'Bad content', true],
      ['Rendering Failure', { failure: { errorMessage: 'x' } }, 'rendering_failed', 'x', true],
    ] as const;
    for (const [eventType, more, failureCode, failureReason, isFailed] of cases) {
      const sent = await send();
      await notify(sent, eventType, more);
      const { message } = await seen(sent);
      expect(message).toMatchObject({ failureCode, failureReason });
      expect(message?.failedAt !== null).toBe(isFailed);
    }
  });

  it('an email that the receiving server accepted and gave back fails, keeps its delivery, and gives no credit back', async () => {
    const sent = await send();
    await notify(sent, 'Delivery');
    const credits = await world.accounts.credits(account.ref.id);
    for (let n = 0; n < 2; n += 1) await notify(sent, 'Bounce', bounce('Transient', 'MailboxFull'));
    const { message, contact } = await seen(sent);
    expect(message).toMatchObject({ status: 'failed', failureCode: '5.1.1', failureReason: 'smtp; 550 unknown' });
    expect([message?.deliveredAt, message?.failedAt]).not.toContain(null);
    expect(contact).toMatchObject({ status: 'active', score: 51 });
    expect(await world.accounts.credits(account.ref.id)).toEqual(credits);
  });

  it('does not take an email for delivered that SES kept back after a complaint about an earlier one', async () => {
    const sent = await send();
    await notify(sent, 'Complaint', { complaint: { complaintSubType: 'OnAccountSuppressionList' } });
    expect(await seen(sent)).toMatchObject({
      message: { status: 'bounced', deliveredAt: null },
      contact: { status: 'bounced', score: 25 },
    });
  });

  it('moves on a message whose answer from SES was lost', async () => {
    const sent = await send({ isAnswered: false });
    await notify(sent, 'Delivery');
    const { message } = await seen(sent);
    expect(message).toMatchObject({ status: 'delivered', sentAt: message?.deliveredAt });
    expect(message?.sentAt).not.toBeNull();
  });

  it('changes nothing when it is repeated', async () => {
    const sent = await send();
    await notify(sent, 'Bounce', bounce('Permanent'));
    const once = await seen(sent);
    for (const event of notified) await listen(event);
    await notify(sent, 'Bounce', bounce('Permanent'));
    expect(await seen(sent)).toEqual(once);
  });

  it('never moves a message back when it is late', async () => {
    const sent = await send({ isAnswered: false });
    for (const eventType of ['Click', 'Open', 'Delivery', 'Send']) await notify(sent, eventType);
    expect(await seen(sent)).toMatchObject({ message: { status: 'clicked' }, contact: { score: 60 } });
    await notify(sent, 'Complaint');
    await notify(sent, 'Delivery');
    expect(await seen(sent)).toMatchObject({ message: { status: 'complained' }, contact: { score: 10 } });
  });

  it('changes nothing when it is of another topic, nor when it is forged or changed on its way, and then fails', async () => {
    const sent = await send();
    const other = await send();
    const before = [await seen(sent), await seen(other)];
    await notify(sent, 'Complaint', {}, { topic: foreign });
    await notify(other, 'DeliveryDelay');
    const genuine = notified.at(-1)?.Records[0];
    if (!genuine) throw new Error('no notification arrived');
    const forgeries = [
      { Message: genuine.Sns.Message.replace('DeliveryDelay', 'Complaint') },
      { Message: genuine.Sns.Message.replace(other.id, sent.id) },
      { Signature: Buffer.alloc(256).toString('base64') },
      { SignatureVersion: '1' },
      { SigningCertUrl: 'https://sns.us-east-1.amazonaws.com.example.com/SimpleNotificationService-0.pem' },
    ];
    for (const forgery of forgeries) {
      const forged = { Records: [{ ...genuine, Sns: { ...genuine.Sns, ...forgery } }] };
      await expect(listen(forged)).rejects.toThrow('a message of the topic failed');
    }
    await listen({ Records: [{ ...genuine, Sns: { ...genuine.Sns, TopicArn: foreign } }] });
    expect([await seen(sent), await seen(other)]).toEqual(before);
  });

  it('changes nothing when it names no message, or one of another account', async () => {
    const sent = await send();
    const before = await seen(sent);
    const stranger = await world.newAccount();
    await notify(sent, 'Complaint', {}, { accountId: stranger.ref.id });
    await notify(sent, 'Complaint', {}, { accountId: newId(Date.now()) });
    await notify({ ...sent, id: newId(Date.now()) }, 'Complaint');
    await notify(sent, 'Complaint', { mail: { tags: {} } });
    expect(notified).toHaveLength(4);
    expect(await seen(sent)).toEqual(before);
  });
});
