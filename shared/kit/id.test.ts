import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstIdAt, idAt, isId, lastIdAt, newId, nthId, timeOfId } from './id.ts';

const lastInstant = 2 ** 48 - 1;
const instant = fc.integer({ min: 0, max: lastInstant });
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('ids', () => {
  it('are version 7 UUIDs of the RFC 9562 variant', () => {
    fc.assert(
      fc.property(instant, random, (timeMs, bytes) => {
        expect(newId(timeMs, bytes)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    );
    expect(newId(0x0192_f6e8_c000, new Uint8Array(10))).toBe('0192f6e8-c000-7000-8000-000000000000');
  });

  it('sort by their creation time, and contain it', () => {
    fc.assert(
      fc.property(instant, instant, random, random, (a, b, x, y) => {
        expect(timeOfId(newId(a, x))).toBe(a);
        if (a !== b) expect(newId(a, x) < newId(b, y)).toBe(a < b);
      }),
    );
  });

  it('are in the range of their millisecond, and of no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: lastInstant - 1 }), random, (timeMs, bytes) => {
        const id = newId(timeMs, bytes);
        expect(id >= firstIdAt(timeMs) && id <= lastIdAt(timeMs)).toBe(true);
        expect(id > lastIdAt(timeMs - 1) && id < firstIdAt(timeMs + 1)).toBe(true);
      }),
    );
  });

  it('clamp times outside the range of ids to the nearest possible one', () => {
    expect(firstIdAt(-1)).toBe(firstIdAt(0));
    expect(lastIdAt(Number.MAX_SAFE_INTEGER)).toBe(lastIdAt(lastInstant));
    expect(timeOfId(newId(12.9))).toBe(12);
  });

  it('differ within a millisecond', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newId(5))).size).toBe(1_000);
  });
});

describe('isId', () => {
  it('accepts the ids of newId', () => {
    fc.assert(fc.property(instant, random, (timeMs, bytes) => isId(newId(timeMs, bytes))));
  });

  it.each([
    '',
    'x',
    newId(1).toUpperCase().replace(/^0/, 'A'),
    `${newId(1)} `,
    ` ${newId(1)}`,
    newId(1).replaceAll('-', ''),
    `{${newId(1)}}`,
    '0192f6e8-c000-4000-8000-000000000000',
    '0192f6e8-c000-7000-c000-000000000000',
    '00000000-0000-0000-0000-000000000000',
    `${newId(1)}\n`,
  ])('refuses "%s"', (text) => {
    expect(isId(text)).toBe(false);
  });
});

describe('nthId', () => {
  const nth = fc.integer({ min: 0, max: 4_095 });

  it('is the same for every attempt, and different for every n', () => {
    fc.assert(
      fc.property(instant, random, nth, nth, (timeMs, bytes, n, m) => {
        const id = newId(timeMs, bytes);
        expect(nthId(id, n)).toBe(nthId(id, n));
        expect(nthId(id, n) === nthId(id, m)).toBe(n === m);
        expect(isId(nthId(id, n))).toBe(true);
      }),
    );
  });

  it('preserves the time and the order of n', () => {
    fc.assert(
      fc.property(instant, random, nth, nth, (timeMs, bytes, n, m) => {
        const id = newId(timeMs, bytes);
        expect(timeOfId(nthId(id, n))).toBe(timeMs);
        if (n !== m) expect(nthId(id, n) < nthId(id, m)).toBe(n < m);
      }),
    );
  });

  it('differs between requests of the same millisecond', () => {
    expect(nthId(newId(5, new Uint8Array(10)), 1)).not.toBe(nthId(newId(5, new Uint8Array(10).fill(1)), 1));
  });
});

it('changes the time of an id, and keeps its unique part', () => {
  const id = newId(1_000);
  expect([isId(idAt(id, 5_000)), timeOfId(idAt(id, 5_000))]).toEqual([true, 5_000]);
  expect(idAt(idAt(id, 5_000), 1_000)).toBe(id);
});
