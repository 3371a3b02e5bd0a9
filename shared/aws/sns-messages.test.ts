import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { certified, notification, startSnsEndpoint, topicArn } from './sns-fixture.ts';
import { type SnsMessage, snsMessages } from './sns-messages.ts';

let sns: Awaited<ReturnType<typeof startSnsEndpoint>>;
let other: Awaited<ReturnType<typeof startSnsEndpoint>>;
let messages: ReturnType<typeof snsMessages>;
beforeAll(async () => {
  [sns, other] = await Promise.all([startSnsEndpoint(), startSnsEndpoint()]);
});
beforeEach(() => {
  messages = snsMessages({ origin: sns.origin, topicArn });
  sns.asked.length = 0;
});
afterAll(() => Promise.all([sns.close(), other.close()]));

const confirmation = () => ({
  ...notification,
  Type: 'SubscriptionConfirmation',
  Token: 't',
  SubscribeUrl: `${sns.origin}/?Action=ConfirmSubscription&Token=t`,
});

describe('a genuine message', () => {
  it.each(['1', '2'])('is signed by version %s, with a subject or without', async (version) => {
    expect(await messages.isGenuine(sns.signed(notification, { version }))).toBe(true);
    expect(await messages.isGenuine(sns.signed({ ...notification, Subject: 's' }, { version }))).toBe(true);
    expect(await messages.isGenuine(sns.signed({ ...notification, Subject: null }, { version }))).toBe(true);
  });

  it.each(['1', '2'] as const)('may be signed with a certificate’s key, by version %s', async (version) => {
    const message = {
      ...notification,
      SignatureVersion: version,
      Signature: certified[version],
      SigningCertUrl: `${sns.origin}/certificate.pem`,
    };
    expect(await messages.isGenuine(message)).toBe(true);
    expect(await messages.isGenuine({ ...message, Message: 'Hello' })).toBe(false);
  });

  it('may name its certificate in either way that Lambda has had', async () => {
    const { SigningCertUrl: SigningCertURL, ...message } = sns.signed(notification);
    expect(await messages.isGenuine({ ...message, ...(SigningCertURL && { SigningCertURL }) })).toBe(true);
    expect(await messages.isGenuine(message)).toBe(false);
  });

  it('may request a subscription, which is confirmed at SNS only', async () => {
    const message = sns.signed(confirmation());
    expect(await messages.isGenuine(message)).toBe(true);
    await messages.confirm(message);
    await messages.confirm({ ...message, SubscribeUrl: `${other.origin}/?Action=ConfirmSubscription` });
    expect(sns.asked).toContain('/?Action=ConfirmSubscription&Token=t');
    expect(other.asked).toEqual([]);
  });

  it('needs one fetch of the key for any number of messages', async () => {
    const signed = Array.from({ length: 5 }, (_, n) => sns.signed({ ...notification, MessageId: `m${n}` }));
    expect(await Promise.all(signed.map(messages.isGenuine))).toEqual(signed.map(() => true));
    expect(sns.asked).toEqual(['/key.pem']);
  });

  it('is accepted at a retry after SNS could not be reached', async () => {
    const certUrl = `${sns.origin}/later.pem`;
    await expect(messages.isGenuine(sns.signed(notification, { certUrl }))).rejects.toThrow();
    await expect(messages.isGenuine(sns.signed(notification, { certUrl }))).rejects.toThrow();
    expect(sns.asked).toEqual(['/later.pem', '/later.pem']);
  });
});

describe('a message that is not genuine', () => {
  it.each([
    ['Message', 'x'],
    ['MessageId', 'x'],
    ['Subject', 'x'],
    ['Timestamp', '2026-11-20T12:00:01.000Z'],
    ['Type', 'SubscriptionConfirmation'],
    ['Type', 'Other'],
    ['Type', 'constructor'],
    ['SignatureVersion', 'constructor'],
    ['Signature', ''],
    ['Signature', 'AAAA'],
    ['SignatureVersion', '1'],
    ['SignatureVersion', '3'],
  ] satisfies [keyof SnsMessage, string][])('has another %s (%s)', async (field, value) => {
    expect(await messages.isGenuine({ ...sns.signed(notification), [field]: value })).toBe(false);
  });

  it('is signed but of another topic', async () => {
    expect(await messages.isGenuine(sns.signed({ ...notification, TopicArn: `${topicArn}2` }))).toBe(false);
  });

  it('names a key at another host, which is never fetched', async () => {
    const { port } = new URL(sns.origin);
    const addresses = [
      `${other.origin}/key.pem`,
      `http://localhost:${port}/key.pem`,
      `http://user@127.0.0.1:${port}/key.pem`,
      `https://127.0.0.1:${port}/key.pem`,
      `${sns.origin}/key.txt`,
      `${sns.origin}/a/key.pem`,
      `${sns.origin}/key.pem?x=.pem`,
      `${sns.origin}/?x=/key.pem`,
      'https://sns.us-east-1.amazonaws.com.example.com/key.pem',
      'file:///key.pem',
      'not an address',
      '',
    ];
    for (const certUrl of addresses) {
      expect([certUrl, await messages.isGenuine(other.signed(notification, { certUrl }))]).toEqual([certUrl, false]);
    }
    expect([...sns.asked, ...other.asked]).toEqual([]);
  });

  it('names a key whose URL redirects', async () => {
    const moved = sns.signed(notification, { certUrl: `${sns.origin}/moved.pem` });
    await expect(messages.isGenuine(moved)).rejects.toThrow();
  });
});
