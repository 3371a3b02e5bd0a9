import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { TopicSpec } from '../blueprint.ts';
import type { Invoke } from '../invocation.ts';
import { startSns } from './sns.ts';

const arn = 'arn:aws:sns:us-east-1:000000000000:news';
const event = z.object({
  Records: z.tuple([
    z.object({
      EventSource: z.literal('aws:sns'),
      EventVersion: z.literal('1.0'),
      EventSubscriptionArn: z.string().startsWith(`${arn}:`),
      Sns: z.object({
        Type: z.literal('Notification'),
        MessageId: z.string(),
        TopicArn: z.literal(arn),
        Subject: z.string(),
        Message: z.string(),
        Timestamp: z.iso.datetime(),
        SignatureVersion: z.enum(['1', '2']),
        Signature: z.base64(),
        SigningCertUrl: z.url(),
        UnsubscribeUrl: z.url(),
        MessageAttributes: z.object({}),
      }),
    }),
  ]),
});

const started: Invoke = async () => ({ ok: true, payload: null });

const open = async (topic: Partial<TopicSpec>, invoke: Invoke = started) => {
  const calls: { readonly name: string; readonly event: unknown }[] = [];
  const sns = await startSns({
    topics: [{ arn, signatureVersion: '2', functionArns: [], ...topic }],
    invoke: async (name, given) => {
      calls.push({ name, event: given });
      return invoke(name, given);
    },
  });
  onTestFinished(() => sns.close());
  return { sns, calls };
};

const news = { subject: 's', message: '{"word":"বাংলা\\n"}' };

describe('a local topic', () => {
  it('calls each subscribed function with the message as Lambda’s SNS event', async () => {
    const { sns, calls } = await open({ functionArns: ['one', 'two'] });
    await sns.publish(arn, news);
    expect(calls.map(({ name }) => name)).toEqual(['one', 'two']);
    const [{ Sns }] = event.parse(calls[0]?.event).Records;
    expect(Sns).toMatchObject({ Subject: news.subject, Message: news.message });
    expect(calls[1]?.event).toMatchObject({ Records: [{ Sns: { MessageId: Sns.MessageId } }] });
  });

  it.each([
    ['1', 'RSA-SHA1'],
    ['2', 'RSA-SHA256'],
  ] as const)('signs by version %s, with a key that lies at its own address', async (signatureVersion, algorithm) => {
    const { sns, calls } = await open({ functionArns: ['one'], signatureVersion });
    await sns.publish(arn, news);
    const [{ Sns }] = event.parse(calls[0]?.event).Records;
    expect(Sns.SigningCertUrl).toMatch(new RegExp(`^${sns.url}/[\\w-]+\\.pem$`));
    const key = createPublicKey(await (await fetch(Sns.SigningCertUrl)).text());
    const text = (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const)
      .map((field) => `${field}\n${Sns[field]}\n`)
      .join('');
    expect(verify(algorithm, Buffer.from(text), key, Buffer.from(Sns.Signature, 'base64'))).toBe(true);
  });

  it('rejects when a function fails, and when the topic does not exist', async () => {
    const { sns } = await open({ functionArns: ['one'] }, async () => ({
      ok: false,
      reason: 'error',
      errorType: 'Error',
      errorMessage: 'no',
    }));
    await expect(sns.publish(arn, news)).rejects.toThrow('one did not take the message: Error');
    await expect(sns.publish(`${arn}2`, news)).rejects.toThrow('no topic');
  });
});
