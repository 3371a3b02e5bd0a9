import { type Header, headerOf } from '../../transfers/contact-header.ts';
import { messagingApi, type Problem, problemOf } from '../apis.ts';
import { type CsvRow, csvRows } from '../parts/csv.ts';
import { type Store, storeOf } from '../parts/store.ts';
import { workingOn } from '../parts/unsaved.ts';
import { contactOf } from './contact-rows.ts';

/** A page does not go on when it is closed, so larger files are for the API. */
const mostBytes = 10_000_000;
const rowsPerCall = 250;

interface Refused extends CsvRow {
  readonly reason: string;
}

export interface Progress {
  /** As the file names its columns, and as they are read. */
  readonly names: readonly string[];
  readonly header: Header;
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

/** An import of this page: what it has done so far, and why it stopped, if it has. */
interface Import {
  readonly progress: Progress | undefined;
  readonly problem: Problem | undefined;
  readonly isRunning: boolean;
}

const imports = new Map<string, Store<Import>>();

/** The last import into an account. It goes on while the person looks at other screens, and is found again on its own. */
export const importInto = (account: string): Store<Import> => {
  const store = imports.get(account) ?? storeOf<Import>({ progress: undefined, problem: undefined, isRunning: false });
  imports.set(account, store);
  return store;
};

const refusal = (message: string): Problem => ({ code: 'unexpected', message, requestId: null });

/** Imports a file, as far as it can. */
const importFile = async (api: Api, file: File, show: (progress: Progress) => void): Promise<Problem | undefined> => {
  if (file.size > mostBytes)
    return refusal('The file has more than 10 MB. Import it with POST /api/v1/contacts/import.');
  try {
    const text = textIn(await file.arrayBuffer());
    if (text === undefined) return refusal('The file is not in UTF-8. Save it as “CSV UTF-8”, then choose it again.');
    const [{ cells: names } = { cells: [] }, ...rows] = csvRows(text);
    const found = headerOf(names);
    if ('fault' in found) return refusal(`The file cannot be imported: ${found.fault}.`);
    let now: Progress = {
      names,
      header: found.header,
      total: rows.length,
      done: 0,
      created: 0,
      duplicates: 0,
      refused: [],
    };
    show(now);
    while (now.done < rows.length) {
      now = await importRows(api, rows.slice(now.done, now.done + rowsPerCall), now);
      show(now);
    }
    return undefined;
  } catch (thrown) {
    return problemOf(thrown);
  }
};

/** Begins to import a file into an account, in place of what its last import has left. */
export const startImport = async (account: string, file: File): Promise<void> => {
  const store = importInto(account);
  const show = (changes: Partial<Import>) => store.set({ ...store.get(), ...changes });
  show({ progress: undefined, problem: undefined, isRunning: true });
  const problem = await workingOn(() => importFile(messagingApi(account), file, (progress) => show({ progress })));
  show({ problem, isRunning: false });
};
