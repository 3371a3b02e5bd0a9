import { csvRecords } from '../../shared/transfers/csv.ts';
import type { ContactFile, Origin, RowDetails } from './contact-file.ts';
import type { AccountFacts } from './facts.ts';
import type { Import, Report } from './importers.ts';
import type { Invariant, Judged } from './invariants.ts';

type ImportFact = AccountFacts['imports'][number];
type ContactFact = AccountFacts['contacts']['kept'][number];
type Known = ImportFact & { readonly id: string };

const isDefined = <Value>(value: Value | undefined): value is Value => value !== undefined;

const ofImports =
  (violations: (fact: Known, facts: AccountFacts, judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    judged.facts.flatMap((facts) =>
      facts.imports
        .filter((fact): fact is Known => fact.id !== undefined)
        .flatMap((fact) => violations(fact, facts, judged).map((what) => `${fact.made.id} (${fact.id}): ${what}`)),
    );

/** Of which file a fact speaks: the one that came, or where another one came after it, the one that fits. */
const ofOneFile = (
  { made: { uploads } }: Known,
  violations: (file: ContactFile, nth: number) => readonly string[],
): readonly string[] => {
  const tried = uploads.map(({ file }, nth) => violations(file, nth));
  return tried.some((broken) => broken.length === 0) ? [] : (tried[0] ?? []);
};

const originOf = ({ customFields }: ContactFact): Partial<Origin> => JSON.parse(customFields.text);

/** The contacts of a row. */
const contactsOf = ({ contacts: { kept, retired } }: AccountFacts, { id }: Import, file: number, row: number) => {
  const isOfRow = (contact: ContactFact): boolean => {
    const origin = originOf(contact);
    return origin.import === id && origin.file === file && origin.row === row;
  };
  return { kept: kept.filter(isOfRow), retired: retired.filter(isOfRow) };
};

/** The rows of a file of refused ones: their lines, and why. */
const refusedRows = (refused: Buffer | undefined): readonly (readonly [line: number, reason: string])[] => {
  const [, ...rows] = [...csvRecords(refused ?? Buffer.alloc(0), { line: 1, isLast: true })];
  return rows.map(({ cells: [line, reason = ''] }) => [Number(line), reason]);
};

const isDuplicate = (reason: string): boolean => reason.includes('contact already uses it');

const noFile = 'no file was uploaded within an hour';
const replacedFile = 'the file was replaced while it was read';

/** Whether an import may have ended in this way. */
const mayFail = ({ made: { uploads, answers } }: Known, reason: string | undefined): boolean => {
  const untilMs = Date.parse(answers.find(({ status }) => status === 202)?.body.data.expiresAt);
  if (reason === noFile) return !uploads.some(({ end }) => end && end.status === 200 && end.atMs < untilMs);
  if (reason === replacedFile) return uploads.length > 1;
  return uploads.some(({ file }) => !file.isUsable);
};

const sameReport = (report: Report, state: NonNullable<ImportFact['state']>): boolean =>
  (['status', 'total', 'created', 'duplicates', 'errors'] as const).every((name) => report[name] === state[name]);

const order = ['waiting', 'processing', 'completed', 'failed'];
const isBehind = (before: Report, after: Report | undefined): boolean =>
  after !== undefined &&
  (after.total < before.total ||
    after.created < before.created ||
    after.progress < before.progress ||
    order.indexOf(after.status) < order.indexOf(before.status));

/** What a contact may be after all that was asked of it: an answer that says nothing leaves both open. */
const possibleOf = ({ id }: ContactFact, details: RowDetails, judged: Judged): readonly (RowDetails | 'retired')[] =>
  (judged.importers?.revisions ?? [])
    .filter(({ contact }) => contact === id)
    .reduce<readonly (RowDetails | 'retired')[]>(
      (before, { to, status = 503 }) => {
        const after = before.map((one) => (one === 'retired' || to === 'retired' ? 'retired' : { ...one, ...to }));
        if (status < 300) return after;
        return status < 500 ? before : before.concat(after);
      },
      [details],
    );

const isLike = (contact: ContactFact, details: RowDetails): boolean =>
  Object.entries(details).every(
    ([name, value]) => JSON.stringify(Reflect.get(contact, name)) === JSON.stringify(value),
  );

type Addresses = NonNullable<ImportFact['held'][number][number]>;

/** Whether a contact kept a row from being created: it is of no later row of the same file. */
const isOther = (holder: string, { contacts: { kept, retired } }: AccountFacts, made: Import, row: number): boolean => {
  const contact = [...kept, ...retired].find(({ id }) => id === holder);
  const origin = contact && originOf(contact);
  return origin?.import !== made.id || Number(origin.row) < row;
};

/** Whether all the addresses that a reason names were taken, and one of them by another contact than those of later rows, which an earlier run had created. */
const isTaken = (addresses: Addresses, reason: string, isByOther: (holder: string) => boolean): boolean => {
  const named = addresses.filter(({ field }) => reason.includes(`${field}: `));
  const holders = named.map((each) => each.holders.filter(isDefined));
  return holders.every(({ length }) => length > 0) && holders.flat().some(isByOther);
};

export const importInvariants: readonly Invariant[] = [
  {
    name: 'an import comes to its end, and says how',
    violations: ofImports((fact) => {
      const { made, state } = fact;
      if (!state || (state.status !== 'completed' && state.status !== 'failed')) return [`it is ${state?.status}`];
      const last = made.reports.at(-1);
      const isStale = last && order.indexOf(last.status) >= 2 && !sameReport(last, state);
      return [
        ...(new Set(made.answers.filter(({ status }) => status === 202).map(({ body }) => body.data.id)).size > 1
          ? ['it was begun twice']
          : []),
        ...(state.status === 'failed' && !mayFail(fact, state.failureReason) ? [`failed: ${state.failureReason}`] : []),
        ...(state.status === 'completed' && !made.uploads.some(({ file }) => file.isUsable) ? ['of no file'] : []),
        ...(isStale ? [`it reported ${JSON.stringify(last)}`] : []),
        ...made.reports.filter((one, n) => isBehind(one, made.reports[n + 1])).map(() => 'it went back'),
      ];
    }),
  },
  {
    name: 'an import counts each row as what became of it',
    violations: ofImports((fact, facts) => {
      const { made, state, refused } = fact;
      if (state?.status !== 'completed') return [];
      const listed = refusedRows(refused);
      return ofOneFile(fact, ({ rows }, nth) => {
        const isRefused = rows.map(({ line }) => listed.some(([other]) => other === line));
        const counts = {
          total: rows.length,
          created: isRefused.filter((one) => !one).length,
          duplicates: listed.filter(([, reason]) => isDuplicate(reason)).length,
          errors: rows.filter(({ details }) => !details).length,
        };
        const wrong = rows.flatMap(({ line }, row) => {
          const { kept, retired } = contactsOf(facts, made, nth, row);
          const wanted = Number(!isRefused[row] && !made.isTrial);
          return kept.length + retired.length === wanted ? [] : [`line ${line}: ${kept.length + retired.length}`];
        });
        const isSame = Object.entries(counts).every(([name, count]) => Reflect.get(state, name) === count);
        const refusedLines = rows.flatMap(({ line }, row) => (isRefused[row] ? [line] : []));
        const isWhole = listed.map(([line]) => line).join() === refusedLines.join();
        return [...(isSame && isWhole ? [] : [`${JSON.stringify(state)}, of ${JSON.stringify(counts)}`]), ...wrong];
      });
    }),
  },
  {
    name: 'a contact of an import is as its row says, or as it was asked to be since',
    violations: ofImports(({ made }, facts, judged) =>
      made.uploads.flatMap(({ file: { rows }, fromMs }, nth) =>
        rows.flatMap(({ details, line }, row) => {
          const { kept, retired } = contactsOf(facts, made, nth, row);
          if (kept.length + retired.length > 1) return [`line ${line} made several contacts`];
          const wrong = [...kept, ...retired].filter((contact) => {
            const possible = details ? possibleOf(contact, details, judged) : [];
            const isEarly = Date.parse(contact.createdAt) < Math.min(...made.uploads.map((one) => one.fromMs), fromMs);
            const isRight = retired.includes(contact)
              ? possible.includes('retired')
              : possible.some((one) => one !== 'retired' && isLike(contact, one));
            return isEarly || !isRight;
          });
          return wrong.map((contact) => `line ${line}: ${JSON.stringify(contact)} of ${JSON.stringify(details)}`);
        }),
      ),
    ),
  },
  {
    name: 'a row is a duplicate only of another contact that had its address',
    violations: ofImports((fact, facts) => {
      const { made, state, refused, held } = fact;
      if (state?.status !== 'completed') return [];
      const reasons = new Map(refusedRows(refused));
      return ofOneFile(fact, ({ rows }, nth) =>
        rows.flatMap(({ line, details }, row) => {
          const [reason, addresses] = [reasons.get(line), held[nth]?.[row] ?? []];
          if (reason !== undefined && isDuplicate(reason) === (details === undefined))
            return [`line ${line}: ${reason}`];
          const isRight =
            reason === undefined
              ? !made.isTrial || addresses.every(({ holders }) => holders.includes(undefined))
              : !details || isTaken(addresses, reason, (holder) => isOther(holder, facts, made, row));
          return isRight ? [] : [`line ${line} of ${JSON.stringify(details)}: ${reason}`];
        }),
      );
    }),
  },
  {
    name: 'what came of an import stays, and its file does not',
    violations: ofImports(({ made, state, file, refused }) => {
      const last = made.reports.at(-1);
      const isLeft = file && !made.uploads.some(({ end }) => !end || end.atMs >= (state?.endedMs ?? 0));
      return [
        isLeft ? 'its file is left' : undefined,
        last?.refusedUrl && !made.refused ? 'its link gives no file' : undefined,
        made.refused && !refused?.equals(made.refused) ? 'its refused rows are others now' : undefined,
        last?.status === 'completed' && !last.refusedUrl !== (last.duplicates + last.errors === 0)
          ? 'its report has a wrong link'
          : undefined,
      ].filter(isDefined);
    }),
  },
];
