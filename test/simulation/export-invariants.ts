import { csvRecords } from '../../shared/transfers/csv.ts';
import type { Export } from './exporters.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';

type ExportFact = AccountFacts['exports'][number];
type Row = Readonly<Record<string, unknown>>;

const ofExports =
  (violations: (fact: ExportFact, facts: AccountFacts) => readonly string[]) =>
  ({ facts }: Judged): readonly string[] =>
    facts.flatMap((each) =>
      each.exports.flatMap((fact) =>
        violations(fact, each).map((what) => `${fact.made.id} of ${fact.made.of}: ${what}`),
      ),
    );

/** The rows of a file, by the names of its columns. */
const rowsIn = (file: Buffer): readonly Readonly<Record<string, string>>[] => {
  const [header, ...rows] = [...csvRecords(file, { line: 1, isLast: true })].map(({ cells }) => cells);
  return rows.map((cells) => Object.fromEntries((header ?? []).map((name, n) => [name, cells[n] ?? ''])));
};

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** A cell that could be a formula has a quote before it. */
const cellOf = (value: unknown): string => textOf(value).replace(/^(?!\+\d+$)(?='*[=+\-@])/, "'");

/** What the cells of a row say, if it was exported as it is in this version. */
const cellsOf = {
  contacts: (row: Row) => ({
    ...Object.fromEntries(
      ['id', 'email', 'phone', 'firstName', 'source', 'status', 'createdAt', 'updatedAt'].map((name) => [
        name,
        cellOf(row[name]),
      ]),
    ),
    tags: Array.isArray(row['tags']) ? row['tags'].join(';') : '',
  }),
  messages: (row: Row) => ({
    id: textOf(row['SK']),
    ...Object.fromEntries(
      ['channel', 'status', 'sentAt', 'deliveredAt', 'failedAt', 'failureCode', 'scheduledAt'].map((name) => [
        name,
        textOf(row[name]),
      ]),
    ),
  }),
};

/** Whether a filter lets a row through, as far as its version says: who a message went to is asked elsewhere. */
const passes = (row: Row, { status, channel, source, tags }: Export['filter']): boolean =>
  (status === undefined || String(row['status']) === status.toLowerCase()) &&
  (channel === undefined || row['channel'] === channel) &&
  (source === undefined || row['source'] === source) &&
  (tags === undefined || (Array.isArray(row['tags']) && row['tags'].includes(tags)));

const madeMs = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

export const exportInvariants: readonly Invariant[] = [
  {
    name: 'an export comes to its end, and its file stays',
    violations: ofExports(({ made: { progress, files }, status, file }) => {
      if (status !== 'completed') return [`it is ${status}`];
      const isStepBack = progress.some(({ rows }, n) => rows > (progress[n + 1]?.rows ?? rows));
      return [
        ...(file && files.every((taken) => taken?.equals(file)) ? [] : ['its file is gone, or was another one']),
        ...(isStepBack ? ['its rows became fewer'] : []),
      ];
    }),
  },
  {
    name: 'an export has each row that was there all the time, once, and no later one',
    violations: ofExports(({ made: { filter, begun, of }, rows, file, count }, { messages }) => {
      if (!file) return [];
      const ids = rowsIn(file).map(({ id = '' }) => id);
      const isTo = (id: string): boolean =>
        filter['to'] === undefined || messages.some(({ message }) => message.id === id && message.to === filter['to']);
      const stayed = [...rows].filter(
        ([id, versions]) => isTo(id) && versions.every((one) => one && passes(one, filter)),
      );
      const missing = stayed.map(([id]) => id).filter((id) => !ids.includes(id));
      const wrong = ids.filter((id) => !rows.has(id) || madeMs(id) > (begun?.atMs ?? 0));
      const ordered = of === 'contacts' ? ids.toSorted() : ids.toSorted().reverse();
      return [
        ...missing.map((id) => `${id} is missing`),
        ...wrong.map((id) => `${id} is unknown, or later`),
        ...(new Set(ids).size < ids.length ? ['a row is there twice'] : []),
        ...(ids.join() === ordered.join() ? [] : ['its rows are in another order']),
        ...(count === ids.length ? [] : [`it says ${count} of ${ids.length} rows`]),
      ];
    }),
  },
  {
    name: 'a row of an export says what it was at some moment of it',
    violations: ofExports(({ made: { filter, of }, rows, file }, { messages }) =>
      rowsIn(file ?? Buffer.alloc(0)).flatMap((cells) => {
        const id = cells['id'] ?? '';
        const known = messages.find(({ message }) => message.id === id)?.message;
        const isWritten = !known || (known.to === cells['to'] && known.metadata.text === cells['metadata']);
        const isOfMoment = (rows.get(id) ?? []).some(
          (one) =>
            one &&
            passes(one, filter) &&
            Object.entries(cellsOf[of](one)).every(([name, cell]) => cells[name] === cell),
        );
        return isWritten && isOfMoment ? [] : [JSON.stringify(cells)];
      }),
    ),
  },
];
