import { expect } from 'vitest';
import { exportContacts, exportMessages } from '../functions/chores/do-chore/exports.ts';
import * as contactsGet from '../functions/contacts/get-export/contract.ts';
import { getExport as getContacts } from '../functions/contacts/get-export/handler.ts';
import * as contactsStart from '../functions/contacts/start-export/contract.ts';
import { startExport as startContacts } from '../functions/contacts/start-export/handler.ts';
import * as messagesGet from '../functions/messages/get-export/contract.ts';
import { getExport as getMessages } from '../functions/messages/get-export/handler.ts';
import * as messagesStart from '../functions/messages/start-export/contract.ts';
import { startExport as startMessages } from '../functions/messages/start-export/handler.ts';
import type { TransferJob } from '../shared/accounts/transfer.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { csvRecords } from '../shared/transfers/csv.ts';
import { call } from './call.ts';
import { startList } from './webhook-calls.ts';
import type { World } from './world.ts';

/** Client calls of the exports, with a queue of their own. */
export const exportCalls = (world: World, key: string) => {
  const transfersQueue = startList<TransferJob>();
  const needs = { ...world, transfersQueue, clock: Date.now };
  const [ofMessages, ofContacts] = [world.callers('messages:read'), world.callers('contacts:read')];
  const kinds = {
    messages: {
      start: endpoint(messagesStart.startExportContract, startMessages(needs), ofMessages),
      get: endpoint(messagesGet.getExportContract, getMessages(needs), ofMessages),
      run: exportMessages(needs),
    },
    contacts: {
      start: endpoint(contactsStart.startExportContract, startContacts(needs), ofContacts),
      get: endpoint(contactsGet.getExportContract, getContacts(needs), ofContacts),
      run: exportContacts(needs),
    },
  };
  return (kind: keyof typeof kinds) => {
    const { start, get, run } = kinds[kind];
    const read = (id: string, by = key) => call(get, { key: by, path: { id } });
    const begin = (query: Readonly<Record<string, string>> = {}) => call(start, { key, query });
    return {
      begin,
      read,
      /** The rows of a whole export, with its header row. */
      rows: async (query: Readonly<Record<string, string>> = {}): Promise<(readonly string[])[]> => {
        const { status, body } = await begin(query);
        expect([status, body.data]).toMatchObject([202, { status: 'processing', rows: 0, url: null }]);
        for (const job of transfersQueue.jobs) await run(job);
        transfersQueue.jobs.length = 0;
        const { data } = (await read(body.data.id)).body;
        const file = Buffer.from(await (await fetch(data.url)).arrayBuffer());
        const rows = [...csvRecords(file, { line: 1, isLast: true })].map(({ cells }) => cells);
        expect(data).toMatchObject({ status: 'completed', rows: rows.length - 1 });
        return rows;
      },
    };
  };
};
