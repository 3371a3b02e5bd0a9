import { setTimeout as sleep } from 'node:timers/promises';
import * as checkout from '../../shared/client/checkout.ts';
import { openClient } from '../../shared/client/client.ts';
import * as messaging from '../../shared/client/messaging.ts';
import { startReceiver } from '../../shared/providers/webhook/receiver-fixture.ts';
import type { StackFile } from '../stack-process.ts';

/** More than the restarts of a stack take. */
const attempts = 60;
const recipients = 50;
const longestDelayMs = 1_000;
const amountMinor = 600_000;

const patient = {
  attempts,
  sleep: (ms: number): Promise<void> => sleep(Math.min(ms, longestDelayMs)),
};

/** What a sender and a merchant do all day, as their servers would: each request is repeated with its key until it is answered. */
export const startTraffic = async ({ apiBaseUrl, checkoutBaseUrl, keys }: StackFile) => {
  const messages = openClient<messaging.Operations>({
    ...patient,
    baseUrl: apiBaseUrl,
    key: keys.messaging,
    replayable: messaging.replayable,
  });
  const merchant = openClient<checkout.Operations>({
    ...patient,
    baseUrl: `${checkoutBaseUrl}/v1`,
    key: keys.checkoutSecretTest,
    replayable: checkout.replayable,
  });
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  const events = ['message.sent', 'message.delivered', 'message.failed'] as const;
  const { data } = await messages.call('POST /webhooks', {
    body: { name: 'soak', url: `http://127.0.0.1:${receiver.port}/hooks`, events: [...events] },
  });

  const accepted = new Set<string>();
  const sessions = new Set<string>();
  const refusals: unknown[] = [];

  const send = async (n: number): Promise<void> => {
    const body = {
      channel: 'email',
      to: `reader${n % recipients}@example.com`,
      subject: `No. ${n}`,
      text: 'It works.',
    } as const;
    accepted.add((await messages.call('POST /messages', { body })).data.id);
  };

  /** Pays a session as its page does: until it is paid, a payment is begun when none runs. */
  const pay = async (): Promise<void> => {
    const { id, eligibleMethods } = (
      await merchant.call('POST /checkout-sessions', { body: { amountMinor, currency: 'BDT' } })
    ).data;
    sessions.add(id);
    const payments = `${checkoutBaseUrl}/v1/public/checkout-sessions/${id}/payments`;
    const body = JSON.stringify({ acceptanceMethodId: eligibleMethods[0]?.acceptanceMethodId });
    for (let attempt = 1; attempt < attempts; attempt += 1) {
      const headers = { 'content-type': 'application/json' };
      await fetch(payments, { method: 'POST', headers, body }).catch(() => undefined);
      const found = await merchant.call('GET /checkout-sessions/{id}', { path: { id } });
      if (found.data.status === 'COMPLETED') return;
      await sleep(longestDelayMs);
    }
  };

  const underWay = new Set<Promise<void>>();
  const begin = (work: Promise<void>): void => {
    const watched = work.catch((error: unknown) => void refusals.push(error)).finally(() => underWay.delete(watched));
    underWay.add(watched);
  };

  return {
    messages,
    merchant,
    webhook: data.webhook.id,
    received: receiver.received,
    accepted,
    sessions,
    refusals,
    /** So many emails and payments a second, until then. */
    run: async (rates: { readonly emails: number; readonly payments: number }, untilMs: number): Promise<void> => {
      const startMs = Date.now();
      const due = { emails: 0, payments: 0 };
      for (; Date.now() < untilMs; await sleep(20)) {
        const seconds = (Date.now() - startMs) / 1_000;
        for (; due.emails < seconds * rates.emails; due.emails += 1) begin(send(due.emails));
        for (; due.payments < seconds * rates.payments; due.payments += 1) begin(pay());
      }
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
};

export type Traffic = Awaited<ReturnType<typeof startTraffic>>;
