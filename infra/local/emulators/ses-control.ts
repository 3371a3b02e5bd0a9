import * as z from 'zod';
import { jsonIn } from '../../../shared/kit/json-in.ts';
import type { Routes } from './local-server.ts';
import { type SesFaults, sesFaults } from './ses-faults.ts';
import type { CaughtMail, MailStore } from './ses-store.ts';

const faultDemand = z.object({ fault: z.enum(sesFaults), times: z.number().int().min(0).default(1) });

/** Endpoints that SES itself lacks: the caught mails as JSON, and faults on demand. */
export function controlRoutes(store: MailStore, faults: SesFaults): Routes {
  return {
    'GET /health': () => ({ status: 200, body: 'ok' }),
    'GET /store': ({ query }) => {
      const since = query.get('since');
      if (since !== null && Number.isNaN(Date.parse(since))) return { status: 400, body: 'since is not a time.' };
      const mails = store.list({ to: query.get('to'), since: since && new Date(since).toISOString() });
      return { status: 200, headers: { 'content-type': 'application/json' }, body: storeJson(mails) };
    },
    'GET /store/{id}/raw': (_, messageId) => {
      const raw = store.raw(messageId);
      if (!raw) return { status: 404, body: 'No such mail.' };
      return { status: 200, headers: { 'content-type': 'message/rfc822' }, body: raw };
    },
    'POST /clear-store': () => {
      store.clear();
      return { status: 204 };
    },
    'POST /faults': async ({ body }) => {
      const { data: demand } = faultDemand.safeParse(jsonIn(await body()));
      if (!demand) return { status: 400, body: `{"fault": one of ${sesFaults.join(', ')}, "times"?: 0 or more}` };
      faults.failNext(demand.fault, demand.times);
      return { status: 204 };
    },
  };
}

function* storeJson(mails: Iterable<CaughtMail>): Generator<string> {
  yield '{"emails":[';
  let separator = '';
  for (const mail of mails) {
    yield separator + JSON.stringify(mail);
    separator = ',';
  }
  yield ']}';
}
