import { describe, expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import { acceptEmail } from './accept.ts';

const id = newId(Date.UTC(2026, 10, 20, 12));

describe('acceptEmail', () => {
  it('begins as sending, created when its id was made, for one credit', () => {
    expect(acceptEmail({ channel: 'email', to: 'Ada@Example.com' }, id)).toEqual({
      id,
      channel: 'email',
      status: 'sending',
      to: 'Ada@Example.com',
      tags: [],
      metadata: {},
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
    const metadata = JSON.parse('{"__proto__":{"a":1},"big":1e21}');
    const { tags, metadata: kept } = acceptEmail(
      { channel: 'email', to: 'a@b.co', tags: ['b', 'a', 'b'], metadata },
      id,
    );
    expect(tags).toEqual(['b', 'a', 'b']);
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"a":1},"big":1e+21}');
  });
});
