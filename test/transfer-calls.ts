import { expect } from 'vitest';
import { type ImportContactsNeeds, importContacts } from '../functions/chores/do-chore/import-contacts.ts';
import { getImportContract } from '../functions/contacts/get-import/contract.ts';
import { getImport } from '../functions/contacts/get-import/handler.ts';
import { startImportContract } from '../functions/contacts/start-import/contract.ts';
import { startImport } from '../functions/contacts/start-import/handler.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import type { TransferJob } from '../shared/transfers/jobs.ts';
import { call } from './call.ts';
import { contactCalls } from './contacts-calls.ts';
import { startList } from './webhook-calls.ts';
import type { World } from './world.ts';

/** Works on all jobs, each again after it has failed. */
export const workOff = async (jobs: TransferJob[], run: (job: TransferJob) => Promise<void>): Promise<void> => {
  for (let n = 0; n < Math.min(jobs.length, 100); n += 1) {
    const job = jobs[n] ?? expect.fail();
    await run(job).catch(() => jobs.push(job));
  }
  jobs.length = 0;
};

/** Kills runs after calls to the table and to files, which have then been carried out: the nth calls, counted from the beginning. */
export const killerOf = (world: World, fatalCalls: readonly number[]) => {
  let calls = 0;
  let isActive = false;
  const kills = (): boolean => {
    if (isActive) calls += 1;
    return isActive && fatalCalls.includes(calls);
  };
  const mortal =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const result = await call(...given);
      if (kills()) throw new Error('killed');
      return result;
    };
  const { put, read, find, bytesOf, beginParts, putPart, completeParts, remove } = world.files;
  const files: World['files'] = {
    ...world.files,
    ...{ put: mortal(put), read: mortal(read), find: mortal(find), bytesOf: mortal(bytesOf), remove: mortal(remove) },
    ...{ beginParts: mortal(beginParts), putPart: mortal(putPart), completeParts: mortal(completeParts) },
  };
  return {
    files,
    /** Fatal are the calls of this work only. */
    during: async (work: () => Promise<unknown>): Promise<void> => {
      const end = world.loseAnswers(kills, { forGood: true });
      isActive = true;
      await work();
      isActive = false;
      end();
    },
  };
};

/** The imports of a new account, with a queue of their own. */
export const openImporting = async (
  world: World,
  { changes = {}, atOnce }: { readonly changes?: Partial<ImportContactsNeeds>; readonly atOnce?: number } = {},
) => {
  const { key, ref } = await world.newAccount();
  const contacts = contactCalls(world);
  const transfersQueue = startList<TransferJob>();
  const needs = { ...world, transfersQueue };
  const callers = world.callers('contacts:write');
  const start = endpoint(startImportContract, startImport(needs), callers);
  const get = endpoint(getImportContract, getImport(needs), callers);
  const run = importContacts({ ...needs, clock: Date.now, ...changes }, atOnce);
  const read = async (id: string, by = key) => (await call(get, { key: by, path: { id } })).body;
  const begin = async (body: object = {}) => (await call(start, { key, body })).body.data;
  const answer = (body: object) => call(start, { key, body });
  const upload = async (url: string, csv: string | Buffer) => {
    expect(
      (await fetch(url, { method: 'PUT', body: typeof csv === 'string' ? csv : new Uint8Array(csv) })).status,
    ).toBe(200);
  };
  return {
    key,
    ref,
    contacts,
    begin,
    answer,
    upload,
    read,
    run,
    workOff: () => workOff(transfersQueue.jobs, run),
    transfersQueue,
    /** The report on the import of a file. */
    importFile: async (csv: string | Buffer, body: object = {}) => {
      const { id, uploadUrl } = await begin(body);
      await upload(uploadUrl, csv);
      await workOff(transfersQueue.jobs, run);
      return (await read(id)).data;
    },
    refusedRows: async (url: string) => (await (await fetch(url)).text()).split('\r\n').slice(0, -1),
    all: async () => (await contacts.list(key, { limit: '100', sortOrder: 'asc' })).body,
  };
};

export type Importing = Awaited<ReturnType<typeof openImporting>>;
