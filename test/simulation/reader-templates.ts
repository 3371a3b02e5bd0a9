import type { Revision } from './authors.ts';
import type { Judged } from './invariants.ts';
import type { Read } from './readers.ts';

const isArchival = ({ to }: Revision): boolean => to === 'archived';

const wrongIn = ({ path, fromMs, toMs, answer: { status } }: Read, judged: Judged): string | false => {
  const ends = judged.authors?.works.find(({ id }) => id === path['id'])?.revisions.filter(isArchival) ?? [];
  const isGone = ends.some(({ end }) => end !== undefined && end.status < 300 && end.atMs < fromMs);
  if (status === 200) return isGone && 'it is shown after its archival';
  return status === 404 && !ends.some((one) => one.fromMs <= toMs) && 'it is not found, and was not archived';
};

/** Templates that are shown although they were archived, or not although they were not. */
export const wrongTemplatesIn = (judged: Judged): readonly string[] =>
  (judged.readers?.reads ?? [])
    .filter(({ place }) => place === 'template' || place === 'versions')
    .flatMap((read) => {
      const broken = wrongIn(read, judged);
      return broken === false ? [] : [`${read.place} ${read.path['id']} at ${read.fromMs}: ${broken}`];
    });
