import { expect } from 'vitest';
import type { ExportRowsNeeds } from '../functions/chores/do-chore/export-rows.ts';
import { exportContacts, exportMessages } from '../functions/chores/do-chore/exports.ts';
import { getContactExportContract } from '../functions/contacts/get-contact-export/contract.ts';
import { getContactExport } from '../functions/contacts/get-contact-export/handler.ts';
import { startContactExportContract } from '../functions/contacts/start-contact-export/contract.ts';
import { startContactExport } from '../functions/contacts/start-contact-export/handler.ts';
import { getMessageExportContract } from '../functions/messages/get-message-export/contract.ts';
import { getMessageExport } from '../functions/messages/get-message-export/handler.ts';
import { startMessageExportContract } from '../functions/messages/start-message-export/contract.ts';
import { startMessageExport } from '../functions/messages/start-message-export/handler.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { csvRecords } from '../shared/transfers/csv.ts';
import type { TransferJob } from '../shared/transfers/jobs.ts';
import { call } from './call.ts';
import { workOff } from './transfer-calls.ts';
import { startList } from './webhook-calls.ts';
import type { World } from './world.ts';

/** Client calls of the exports, with a queue of their own. */
export const exportCalls = (
  world: World,
  key: string,
  { changes = {}, atOnce }: { readonly changes?: Partial<ExportRowsNeeds>; readonly atOnce?: number } = {},
) => {
  const transfersQueue = startList<TransferJob>();
  const needs = { ...world, transfersQueue };
  const background = { ...needs, clock: Date.now, ...changes };
  const [ofMessages, ofContacts] = [world.callers('messages:read'), world.callers('contacts:read')];
  const kinds = {
    messages: {
      start: endpoint(startMessageExportContract, startMessageExport(needs), ofMessages),
      get: endpoint(getMessageExportContract, getMessageExport(needs), ofMessages),
      run: exportMessages(background, atOnce),
    },
    contacts: {
      start: endpoint(startContactExportContract, startContactExport(needs), ofContacts),
      get: endpoint(getContactExportContract, getContactExport(needs), ofContacts),
      run: exportContacts(background, atOnce),
    },
  };
  return (kind: keyof typeof kinds) => {
    const { start, get, run } = kinds[kind];
    const read = (id: string, by = key) => call(get, { key: by, path: { id } });
    const begin = (query: Readonly<Record<string, string>> = {}) => call(start, { key, query });
    return {
      begin,
      read,
      run,
      jobs: transfersQueue.jobs,
      /** The rows of a whole export, with its header row. `during` works it off. */
      rows: async (
        query: Readonly<Record<string, string>> = {},
        during: (work: () => Promise<unknown>) => Promise<void> = async (work) => void (await work()),
      ): Promise<(readonly string[])[]> => {
        const { status, body } = await begin(query);
        expect([status, body.data]).toMatchObject([202, { status: 'processing', rows: 0, url: null }]);
        await during(() => workOff(transfersQueue.jobs, run));
        const { data } = (await read(body.data.id)).body;
        const file = Buffer.from(await (await fetch(data.url)).arrayBuffer());
        const rows = [...csvRecords(file, { line: 1, isLast: true })].map(({ cells }) => cells);
        expect(data).toMatchObject({ status: 'completed', rows: rows.length - 1 });
        return rows;
      },
    };
  };
};
