import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../kit/fault.ts';
import { exampleId, idAt } from '../kit/id.ts';
import { emptyObject, JsonText } from '../kit/json-text.ts';
import {
  changed,
  detailsOf,
  type KeptContact,
  newContact,
  recipientDetails,
  takenText,
  tensOf,
  withScore,
  withStatus,
} from './contact.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const ada = newContact(
  exampleId,
  detailsOf({ email: 'ada@example.com', tags: ['a'], customFields: new JsonText('{"a":1}') }),
  nowMs,
);

describe('a new contact', () => {
  it('is active, in the middle of the score, and as old as its id', () => {
    expect(ada).toMatchObject({ status: 'active', score: 50, updatedAt: '2026-11-20T12:00:00.000Z' });
    expect(Date.parse(ada.createdAt)).toBeLessThanOrEqual(nowMs);
  });

  it('is not changed before it is created, also when its id is of a time that is still to come', () => {
    const { createdAt, updatedAt } = newContact(idAt(exampleId, nowMs + 7), detailsOf({}), nowMs);
    expect([createdAt, updatedAt]).toEqual(['2026-11-20T12:00:00.007Z', '2026-11-20T12:00:00.007Z']);
  });

  it('has null or an empty value for omitted fields', () => {
    expect(detailsOf({})).toEqual({
      email: null,
      phone: null,
      firstName: null,
      lastName: null,
      tags: [],
      source: null,
      customFields: emptyObject,
    });
  });

  it('comes from the API when a send created it', () => {
    expect(recipientDetails({ phone: '+8801700000000' })).toMatchObject({ phone: '+8801700000000', source: 'api' });
  });
});

describe('a change', () => {
  it('changes the sent fields, including null, and no others', () => {
    const after = changed(ada, { firstName: 'Ada', tags: [], lastName: undefined }, nowMs + 5);
    expect(after).toEqual({ ...ada, firstName: 'Ada', tags: [], updatedAt: '2026-11-20T12:00:00.005Z' });
    expect(changed(after, { firstName: null }, nowMs + 6).firstName).toBeNull();
  });

  it('has a later update time than before, even when the clock has not advanced', () => {
    expect(changed(ada, {}, nowMs - 1_000).updatedAt).toBe('2026-11-20T12:00:00.001Z');
    expect(withStatus(ada, 'bounced', nowMs).updatedAt).toBe('2026-11-20T12:00:00.001Z');
  });

  it('must leave an email or a phone', () => {
    expect(() => changed(ada, { email: null }, nowMs)).toThrow(Fault);
    expect(changed(ada, { email: null, phone: '+8801700000000' }, nowMs)).toMatchObject({ email: null });
  });

  it('of status or score to the same value returns the contact unchanged', () => {
    expect(withStatus(ada, 'active', nowMs + 1)).toBe(ada);
    expect(withScore(ada, 0)).toBe(ada);
  });
});

describe('the score', () => {
  it.each([
    [49, 99],
    [50, 100],
    [51, 100],
    [-50, 0],
    [-51, 0],
    [10, 60],
  ])('moves by %d from 50 to %d, without a new time', (delta, score) => {
    expect(withScore(ada, delta)).toEqual({ ...ada, score, listedScore: score });
  });

  it('never leaves the contact in lists above its score, or at other tens', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(-50, -10, 1, 2, 5), { maxLength: 30 }), (deltas) => {
        const { score, listedScore } = deltas.reduce(withScore, ada);
        expect(listedScore).toBeLessThanOrEqual(score);
        expect(tensOf(listedScore)).toBe(tensOf(score));
      }),
    );
  });

  it('keeps the contact’s place in lists while it rises within its tens', () => {
    let contact: KeptContact = ada;
    for (const [delta, score, listedScore] of [
      [1, 51, 50],
      [8, 59, 50],
      [1, 60, 60],
      [5, 65, 60],
      [-6, 59, 59],
    ] as const) {
      contact = withScore(contact, delta);
      expect(contact).toEqual({ ...ada, score, listedScore });
    }
  });
});

it('names every address that is taken', () => {
  expect(
    takenText([
      { field: 'email', byRetired: true },
      { field: 'phone', byRetired: false },
    ]),
  ).toBe('email: a retired contact already uses it; phone: another contact already uses it');
});
