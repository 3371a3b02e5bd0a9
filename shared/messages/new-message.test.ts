import { describe, expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';
import { newEmail, newText } from './new-message.ts';

const id = newId(Date.UTC(2026, 10, 20, 12));

describe('newEmail', () => {
  it('begins as sending, created when its id was made, for one credit', () => {
    expect(newEmail({ channel: 'email', to: 'Ada@Example.com' }, id)).toEqual({
      id,
      channel: 'email',
      status: 'sending',
      to: 'Ada@Example.com',
      tags: [],
      metadata: new JsonText('{}'),
      createdAt: '2026-11-20T12:00:00.000Z',
      sentAt: null,
      deliveredAt: null,
      failedAt: null,
      failureReason: null,
      failureCode: null,
      price: { counter: 'email', credits: 1 },
    });
  });

  it('keeps tags and metadata as they came', () => {
    const metadata = new JsonText('{"__proto__":{"a":1},"big":1e400}');
    const { tags, metadata: kept } = newEmail({ channel: 'email', to: 'a@b.co', tags: ['b', 'a', 'b'], metadata }, id);
    expect(tags).toEqual(['b', 'a', 'b']);
    expect(kept).toBe(metadata);
  });
});

describe('newText', () => {
  it.each([
    ['masked', 'x', { counter: 'smsMasked', credits: 1 }],
    ['non_masked', 'x', { counter: 'smsNonMasked', credits: 1 }],
    ['masked', 'x'.repeat(161), { counter: 'smsMasked', credits: 2 }],
    ['non_masked', 'অ'.repeat(71), { counter: 'smsNonMasked', credits: 2 }],
  ] as const)('an sms of a %s sender waits, for a credit for each segment', (senderKind, text, price) => {
    expect(newText({ channel: 'sms', to: '8801700000000', tags: ['a'] }, id, text, senderKind)).toEqual({
      id,
      channel: 'sms',
      status: 'queued',
      to: '8801700000000',
      tags: ['a'],
      metadata: new JsonText('{}'),
      createdAt: '2026-11-20T12:00:00.000Z',
      sentAt: null,
      deliveredAt: null,
      failedAt: null,
      failureReason: null,
      failureCode: null,
      price,
    });
  });

  it('a whatsapp message waits, and costs nothing', () => {
    const message = newText({ channel: 'whatsapp', to: '+8801700000000' }, id, 'x'.repeat(4_096), 'masked');
    expect(message).toMatchObject({ channel: 'whatsapp', status: 'queued', price: { credits: 0 } });
  });
});
