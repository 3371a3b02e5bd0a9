import type { SNSEvent, SNSMessage } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { topicListener } from './topic-listener.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');

/** A listener to a topic whose messages are genuine when their signature is `genuine`. */
const open = (handle: (news: { word: string }) => Promise<void> = async () => undefined) => {
  const handled: unknown[] = [];
  const confirmed: string[] = [];
  const topic = {
    topicArn: 'own',
    isGenuine: async ({ Signature }: SNSMessage) => Signature === 'genuine',
    confirm: async ({ MessageId }: SNSMessage) => void confirmed.push(MessageId),
  };
  const listen = topicListener(
    topic,
    z.object({ word: z.string() }),
    async (news, at, publishedMs) => {
      handled.push([news, at, publishedMs]);
      await handle(news);
    },
    () => nowMs,
  );
  return {
    handled,
    confirmed,
    publish: (...messages: Partial<SNSMessage>[]) => {
      const plain = {
        Type: 'Notification',
        TopicArn: 'own',
        MessageId: 'm',
        Signature: 'genuine',
        Message: '{"word":"w"}',
        Timestamp: '2026-11-20T11:59:00.000Z',
      };
      return listen({ Records: messages.map((message) => ({ Sns: { ...plain, ...message } })) } as SNSEvent);
    },
  };
};

describe('a topic listener', () => {
  it('handles each message, with the time and when it was published', async () => {
    const { publish, handled } = open();
    await publish({}, { Message: '{"word":"x","more":1}', Timestamp: '2026-11-20T12:00:01.000Z' });
    expect(handled).toEqual([
      [{ word: 'w' }, nowMs, nowMs - 60_000],
      [{ word: 'x' }, nowMs, nowMs],
    ]);
  });

  it('ignores messages of another topic, and a greeting that is not JSON', async () => {
    const { publish, handled, confirmed } = open();
    await publish(
      { Signature: 'forged', TopicArn: 'other' },
      { Signature: 'forged', TopicArn: 'other', Type: 'SubscriptionConfirmation' },
      { Message: 'Successfully validated SNS topic for Amazon SES event publishing.' },
    );
    expect([...handled, ...confirmed]).toEqual([]);
  });

  it.each(['Notification', 'SubscriptionConfirmation'])(
    'does nothing with a %s that is not genuine, and fails, so that it is kept',
    async (Type) => {
      const { publish, handled, confirmed } = open();
      await expect(publish({ Signature: 'forged', Type })).rejects.toThrow('a message of the topic failed');
      expect([...handled, ...confirmed]).toEqual([]);
    },
  );

  it('confirms a requested subscription', async () => {
    const { publish, handled, confirmed } = open();
    await publish({ Type: 'SubscriptionConfirmation', MessageId: 'c' });
    expect([handled, confirmed]).toEqual([[], ['c']]);
  });

  it('fails, so that SNS redelivers, when it cannot read or handle a message', async () => {
    await expect(open().publish({ Message: '{"word":1}' })).rejects.toThrow('a message of the topic failed');
    const { publish } = open(() => Promise.reject(new Error('no')));
    await expect(publish({})).rejects.toThrow('a message of the topic failed');
  });
});
