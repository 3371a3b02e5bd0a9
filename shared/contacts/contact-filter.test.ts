import { expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import { detailsOf, newContact } from './contact.ts';
import { type ContactFilter, matches } from './contact-filter.ts';
import { searchTerms } from './search.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const ada = newContact(
  newId(nowMs),
  detailsOf({ email: 'ada@example.com', firstName: 'Ada', tags: ['a', 'b'], source: 'web' }),
  nowMs,
);

it.each<[boolean, Partial<ContactFilter>]>([
  [true, {}],
  [true, { terms: searchTerms('ada') }],
  [false, { terms: searchTerms('ada eve') }],
  [true, { tags: ['c', 'b'] }],
  [false, { tags: ['c', 'A'] }],
  [true, { status: 'active' }],
  [false, { status: 'bounced' }],
  [true, { source: 'web' }],
  [false, { source: 'we' }],
  [true, { createdAfterMs: nowMs, createdBeforeMs: nowMs }],
  [false, { createdAfterMs: nowMs + 1 }],
  [false, { createdBeforeMs: nowMs - 1 }],
  [true, { minScore: 50 }],
  [false, { minScore: 51 }],
  [false, { status: 'active', source: 'other' }],
])('says %s of the filter %j', (expected, filter) => {
  expect(matches(ada, { terms: [], tags: [], ...filter })).toBe(expected);
});
