import type { ContactStatus, KeptContact } from './contact.ts';
import { matchesTerm, searchTerms, type Term } from './search.ts';

/** How many tags a list can be filtered by. */
export const mostFilterTags = 100;

/** Every column that a list can be sorted by. */
export const sortColumns = ['createdAt', 'updatedAt', 'engagementScore'] as const;
export type SortColumn = (typeof sortColumns)[number];

/** The filters of a list, all of which a contact must match. */
export interface ContactFilter {
  readonly terms: readonly Term[];
  /** Any of these; none: all contacts. */
  readonly tags: readonly string[];
  readonly status?: ContactStatus | undefined;
  readonly source?: string | undefined;
  readonly createdAfterMs?: number | undefined;
  readonly createdBeforeMs?: number | undefined;
  readonly minScore?: number | undefined;
}

/** A query's filter: of the list, and of an export of it. */
interface Asked extends Pick<ContactFilter, 'tags' | 'status' | 'source'> {
  readonly search: string;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly minEngagementScore?: number | undefined;
}

export const contactFilter = ({ search, tags, status, source, ...asked }: Asked): ContactFilter => ({
  terms: searchTerms(search),
  tags,
  status,
  source,
  createdAfterMs: asked.createdAfter,
  createdBeforeMs: asked.createdBefore,
  minScore: Math.max(asked.minEngagementScore ?? 0, 0),
});

export const matches = (contact: KeptContact, filter: ContactFilter): boolean => {
  const createdMs = Date.parse(contact.createdAt);
  return (
    filter.terms.every((term) => matchesTerm(contact, term)) &&
    (filter.tags.length === 0 || filter.tags.some((tag) => contact.tags.includes(tag))) &&
    (filter.status === undefined || contact.status === filter.status) &&
    (filter.source === undefined || contact.source === filter.source) &&
    createdMs >= (filter.createdAfterMs ?? createdMs) &&
    createdMs <= (filter.createdBeforeMs ?? createdMs) &&
    contact.score >= (filter.minScore ?? 0)
  );
};
