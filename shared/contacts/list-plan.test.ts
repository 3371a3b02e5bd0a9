import { describe, expect, it } from 'vitest';
import { contactStatuses } from './contact.ts';
import type { ContactFilter, SortColumn } from './contact-filter.ts';
import { planOf } from './list-plan.ts';
import { searchTerms } from './search.ts';

const plan = (filter: Partial<ContactFilter>, sortBy: SortColumn = 'createdAt') =>
  planOf({ terms: [], tags: [], ...filter }, sortBy);

const dated = { createdAfterMs: 0 };
const statusRows = contactStatuses.map((value) => ({ of: 'status', value }));

describe('a list with one set of rows in its order is read from these', () => {
  it.each<[string, Partial<ContactFilter>, SortColumn, unknown[], unknown]>([
    ['all contacts', {}, 'createdAt', statusRows, contactStatuses],
    ['all contacts of a time', dated, 'createdAt', statusRows, undefined],
    ['all contacts by update', {}, 'updatedAt', [{ of: 'update' }], contactStatuses],
    ['all contacts by score', {}, 'engagementScore', [{ of: 'scoreFrom', value: 0 }], contactStatuses],
    ['the lowest score of all', { minScore: 0 }, 'createdAt', statusRows, contactStatuses],
    ['a status', { status: 'bounced' }, 'createdAt', [{ of: 'status', value: 'bounced' }], ['bounced']],
    [
      'a status and a time',
      { status: 'bounced', ...dated },
      'createdAt',
      [{ of: 'status', value: 'bounced' }],
      undefined,
    ],
    ['a source', { source: 'web' }, 'createdAt', [{ of: 'source', value: 'web' }], undefined],
    ['a tag', { tags: ['a'] }, 'createdAt', [{ of: 'tag', value: 'a' }], undefined],
    ['a score by score', { minScore: 7 }, 'engagementScore', [{ of: 'scoreFrom', value: 7 }], undefined],
  ])('of %s', (_, filter, sortBy, rows, counted) => {
    expect(plan(filter, sortBy)).toMatchObject({ kind: 'walk', rows, counted });
  });

  it('and from the table itself, without an index, only for all contacts by creation', () => {
    expect([plan({}), plan(dated), plan({ status: 'active' }), plan({}, 'updatedAt')]).toMatchObject([
      { isTableOrder: true },
      { isTableOrder: true },
      { isTableOrder: false },
      { isTableOrder: false },
    ]);
  });
});

describe('a list without one set of rows in its order gathers its contacts first', () => {
  it.each<[string, Partial<ContactFilter>, SortColumn]>([
    ['a filter in another order', { tags: ['a'] }, 'updatedAt'],
    ['a status by score', { status: 'active' }, 'engagementScore'],
    ['a time by update', dated, 'updatedAt'],
    ['a time by score', { minScore: 7, ...dated }, 'engagementScore'],
    ['a score by creation', { minScore: 7 }, 'createdAt'],
    ['tags, which may share contacts', { tags: ['a', 'b'] }, 'createdAt'],
    ['a search', { terms: searchTerms('ada') }, 'createdAt'],
    ['two filters', { status: 'active', source: 'web' }, 'createdAt'],
  ])('for %s', (_, filter, sortBy) => {
    expect(plan(filter, sortBy).kind).toBe('gather');
  });

  it('by the condition that finds fewest contacts first', () => {
    const filter = {
      terms: searchTerms('a bob'),
      tags: ['t', 'u'],
      source: 's',
      minScore: 1,
      status: 'active',
    } as const;
    expect(plan(filter)).toEqual({
      kind: 'gather',
      conditions: [
        [[{ of: 'wordStart', value: 'bob' }]],
        [[{ of: 'wordStart', value: 'a' }]],
        [[{ of: 'tag', value: 't' }], [{ of: 'tag', value: 'u' }]],
        [[{ of: 'source', value: 's' }]],
        [[{ of: 'scoreFrom', value: 1 }]],
        [[{ of: 'status', value: 'active' }]],
      ],
    });
  });

  it('by all that a piece of a search can stand for', () => {
    expect(plan({ terms: searchTerms('8801700000000') })).toMatchObject({
      conditions: [[[{ of: 'phone', value: '+8801700000000' }], [{ of: 'wordStart', value: '8801700000000' }]]],
    });
    expect(plan({ terms: searchTerms('Ada@example.com') })).toMatchObject({
      conditions: [[[{ of: 'email', value: 'ada@example.com' }]]],
    });
    expect(plan({ terms: searchTerms('--') })).toMatchObject({ conditions: [[]] });
  });
});
