import { useId, useState } from 'preact/hooks';
import { guardedCell, unguardedCell } from '../../transfers/guarded-cell.ts';
import { messagingApi, type Problem, problemOf } from '../apis.ts';
import { type CsvRow, csvRows, csvText } from '../parts/csv.ts';
import { Table } from '../parts/list.tsx';
import { Screen, useHref } from '../parts/screen.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { grouped } from '../parts/words.tsx';
import { useAccount } from '../session.ts';
import { contactOf, faultOfHeader } from './contact-rows.ts';

/** A page does not go on when it is closed, so larger files are for the API. */
const mostBytes = 10_000_000;
const rowsPerCall = 250;

interface Refused extends CsvRow {
  readonly reason: string;
}

interface Progress {
  readonly header: readonly string[];
  readonly total: number;
  readonly done: number;
  readonly created: number;
  readonly duplicates: number;
  readonly refused: readonly Refused[];
}

type Api = ReturnType<typeof messagingApi>;

/** Creates some rows. A row that is no contact is refused here, the others by the server. */
const importRows = async (api: Api, rows: readonly CsvRow[], progress: Progress): Promise<Progress> => {
  const read = rows.map((row) => ({ row, ...contactOf(progress.header, row.cells) }));
  const refused = read.flatMap(({ row, fault }): Refused[] => (fault === undefined ? [] : [{ ...row, reason: fault }]));
  const valid = read.flatMap(({ row, contact }) => (contact ? [{ row, contact }] : []));
  const body = { contacts: valid.map(({ contact }) => contact) };
  const { created, duplicates, results } =
    valid.length > 0
      ? (await api.call('POST /contacts/bulk', { body })).data
      : { created: 0, duplicates: 0, results: [] };
  for (const { index, status, error } of results) {
    const row = valid[index]?.row;
    if (row && status !== 'created') refused.push({ ...row, reason: error ?? status });
  }
  return {
    ...progress,
    done: progress.done + rows.length,
    created: progress.created + created,
    duplicates: progress.duplicates + duplicates,
    refused: [...progress.refused, ...refused.sort((one, other) => one.line - other.line)],
  };
};

/** Undefined where it is in another encoding: names would be stored with a sign for each letter that cannot be read. */
const textIn = (bytes: ArrayBuffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Creates contacts from a CSV file, and lists the rows that were refused, with why. */
export const ImportContacts = () => {
  const api = messagingApi(useAccount().id);
  const href = useHref();
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<Problem>();
  const [isRunning, setRunning] = useState(false);
  const input = useId();

  const run = async (file: File): Promise<void> => {
    const refuse = (message: string): void => setProblem({ code: 'unexpected', message, requestId: null });
    setProblem(undefined);
    setProgress(undefined);
    if (file.size > mostBytes)
      return refuse('The file has more than 10 MB. Import it with POST /api/v1/contacts/import.');
    setRunning(true);
    try {
      const text = textIn(await file.arrayBuffer());
      if (text === undefined) return refuse('The file is not in UTF-8. Save it as “CSV UTF-8”, then choose it again.');
      const [header, ...rows] = csvRows(text);
      const fault = faultOfHeader(header?.cells ?? []);
      if (fault) return refuse(fault);
      let now: Progress = {
        header: header?.cells ?? [],
        total: rows.length,
        done: 0,
        created: 0,
        duplicates: 0,
        refused: [],
      };
      setProgress(now);
      while (now.done < rows.length) {
        now = await importRows(api, rows.slice(now.done, now.done + rowsPerCall), now);
        setProgress(now);
      }
    } catch (thrown) {
      setProblem(problemOf(thrown));
    } finally {
      setRunning(false);
    }
  };

  return (
    <Screen title="Import contacts" back={{ href: href('/contacts'), label: 'Contacts' }}>
      <section class="card stack">
        <p>
          A CSV file in UTF-8. Its first row names the columns: <code>email</code>, <code>phone</code>,{' '}
          <code>firstName</code>, <code>lastName</code>, <code>tags</code> (separated by <code>;</code>),{' '}
          <code>source</code>, <code>customFields</code> (JSON). Each row needs an email or a phone.
        </p>
        <p class="field">
          <label for={input}>CSV file</label>
          <input
            id={input}
            type="file"
            accept=".csv,text/csv"
            disabled={isRunning}
            // The same file can be chosen again.
            onClick={({ currentTarget }) => {
              currentTarget.value = '';
            }}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file) run(file);
            }}
          />
        </p>
        {problem ? <Trouble problem={problem} /> : null}
        {progress ? <Report progress={progress} isRunning={isRunning} /> : null}
      </section>
      {progress && progress.refused.length > 0 ? <RefusedRows progress={progress} /> : null}
    </Screen>
  );
};

const stateOf = ({ done, total }: Progress, isRunning: boolean): string => {
  const rows = `${grouped(done)} of ${grouped(total)} rows`;
  if (isRunning) return `${rows}…`;
  return done < total
    ? `The import stopped after ${rows}. Choose the file again to import the rest.`
    : 'The import is complete.';
};

const Report = ({ progress, isRunning }: { readonly progress: Progress; readonly isRunning: boolean }) => {
  const { done, total, created, duplicates, refused } = progress;
  return (
    <div class="stack" role="status">
      <progress max={Math.max(total, 1)} value={done} aria-label="Rows imported" />
      <p>
        {stateOf(progress, isRunning)} <strong>{grouped(created)} created</strong>, {grouped(duplicates)} already known,{' '}
        {grouped(refused.length - duplicates)} refused.
      </p>
    </div>
  );
};

const shownRefused = 100;

const RefusedRows = ({ progress: { header, refused } }: { readonly progress: Progress }) => {
  const download = () => {
    const guarded = (cells: readonly string[]) => cells.map((text) => guardedCell(unguardedCell(text)));
    const rows = refused.map(({ line, reason, cells }) => [String(line), reason, ...guarded(cells)]);
    const file = new Blob([csvText([['line', 'reason', ...header], ...rows])], { type: 'text/csv' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = 'refused-contacts.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <section>
      <header class="screen">
        <h2>Rows that were not imported</h2>
        <button type="button" onClick={download}>
          Download them
        </button>
      </header>
      <Table
        caption="Rows that were not imported"
        columns={[
          { label: 'Line', cell: ({ line }) => line },
          { label: 'Why', cell: ({ reason }) => reason },
          { label: 'Row', cell: ({ cells }) => <code>{cells.join(', ')}</code> },
        ]}
        rows={refused.slice(0, shownRefused)}
        keyOf={({ line }) => String(line)}
      />
      {refused.length > shownRefused ? (
        <p class="hint">The first {shownRefused} are shown. The download has all.</p>
      ) : null}
    </section>
  );
};
