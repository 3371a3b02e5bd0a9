import { useId } from 'preact/hooks';
import { csvText } from '../parts/csv.ts';
import { Table } from '../parts/list.tsx';
import { Screen, useHref } from '../parts/screen.tsx';
import { useStore } from '../parts/store.ts';
import { Trouble } from '../parts/trouble.tsx';
import { grouped } from '../parts/words.tsx';
import { useAccount } from '../session.ts';
import { importInto, type Progress, startImport } from './contact-import.ts';
import { refusedFile } from './contact-rows.ts';

/** Creates contacts from a CSV file, and lists the rows that were refused, with why. */
export const ImportContacts = () => {
  const { id } = useAccount();
  const href = useHref();
  const { progress, problem, isRunning } = useStore(importInto(id));
  const input = useId();

  return (
    <Screen title="Import contacts" back={{ href: href('/contacts'), label: 'Contacts' }}>
      <section class="card stack">
        <p>
          A CSV file in UTF-8. Its first row names the columns: <code>email</code>, <code>phone</code>,{' '}
          <code>firstName</code>, <code>lastName</code>, <code>tags</code> (separated by <code>;</code>),{' '}
          <code>source</code>, <code>customFields</code> (JSON). Each row needs an email or a phone. An export can be
          imported, but only its contacts that are <code>active</code>.
        </p>
        <p class="field">
          <label for={input}>CSV file</label>
          <input
            id={input}
            type="file"
            accept=".csv,text/csv"
            aria-disabled={isRunning}
            onClick={(event) => {
              if (isRunning) event.preventDefault();
              // The same file can be chosen again.
              else event.currentTarget.value = '';
            }}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file && !isRunning) startImport(id, file);
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
const keptMs = 60_000;

const RefusedRows = ({ progress: { names, refused } }: { readonly progress: Progress }) => {
  const download = () => {
    const file = new Blob([csvText(refusedFile(names, refused))], { type: 'text/csv' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = 'refused-contacts.csv';
    link.click();
    // Some browsers read it only after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), keptMs);
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
