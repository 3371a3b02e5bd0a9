import { type Account, callWithKey } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import type { Data, Request } from './client.ts';
import { operatorIn } from './operator.ts';
import { patientClientIn, type Try } from './patient-client.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

type Api = 'messaging' | 'checkout';

/** A subscription that a developer wants, and what was done with it. */
export interface Wanted {
  readonly api: Api;
  readonly account: Account;
  /** No other has it. */
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly creations: Try[];
  readonly removals: Try[];
  readonly tests: Try[];
  readonly resends: Try[];
  readonly looks: Try[];
  /** Requests of other accounts. */
  readonly intrusions: Try[];
  /** Once it is known to be there; `secret`: the last one, and since when it signs. */
  made?: { readonly id: string; readonly secret: string; readonly sinceMs: number };
}

/** What is read of the subscriptions of an account when all is quiet. */
export interface SubscriptionsReading {
  readonly account: Account;
  readonly api: Api;
  /** By each who may read them. */
  readonly lists: readonly (readonly Data[])[];
  /** With their logs; nothing of those of the checkout. */
  readonly alone: readonly { readonly row: Data; readonly logs: readonly LogsPage[] }[];
}

interface LogsPage {
  readonly data: readonly Data[];
  readonly total: number;
  readonly pages: number;
}

const busyMs = 120_000;
const calmMs = 660_000;
/** What has failed in all attempts by then. */
const lateMs = 45 * 60_000;
const logRows = 2;
const messagingEvents = ['message.sent', 'message.delivered', 'message.failed', 'message.bounced'] as const;
const checkoutEvents = ['payment.succeeded', 'payment.failed', 'refund.succeeded', 'checkout_session.expired'] as const;

/** Developers subscribe URLs while events happen, test and delete subscriptions, have what failed delivered again, and read their logs. */
export const openSubscribers = async (
  world: World,
  code: Code,
  { accountsNow, apis }: { readonly accountsNow: () => readonly Account[]; readonly apis: readonly [Api, ...Api[]] },
) => {
  const { timeline, startMs, seed } = world;
  const { wait, insist, makeOnce, noting } = patientClientIn(world);
  const random = randomIn(seed, 'subscribers');
  const headers = await operatorIn(world, code, 'subscriber');
  const wanted: Wanted[] = [];

  const byOperator = (
    does: string,
    routeKey: string,
    { ref: { id } }: Account,
    { path, ...more }: Partial<Request> = {},
  ): Request => ({
    ...{ does, headers, account: id, path: { id, ...path }, ...more },
    routeKey: routeKey.replace(' ', ' /admin/v1/accounts/{id}'),
  });

  const listOf = (account: Account, api: Api): Request =>
    api === 'messaging'
      ? callWithKey(account, 'webhooks/list-webhooks', 'GET /webhooks', {})
      : byOperator('admin/list-checkout-webhooks', 'GET /checkout-webhooks', account);

  const creationOf = ({ account, api, name, url, events, isActive }: Wanted): Request =>
    api === 'messaging'
      ? callWithKey(account, 'webhooks/create-webhook', 'POST /webhooks', { body: { name, url, events, isActive } })
      : byOperator('admin/create-checkout-webhook', 'POST /checkout-webhooks', account, {
          body: { name, url, events },
        });

  const removalOf = ({ account, api }: Wanted, id: string): Request =>
    api === 'messaging'
      ? callWithKey(account, 'webhooks/delete-webhook', 'DELETE /webhooks/{id}', { path: { id } })
      : byOperator('admin/delete-checkout-webhook', 'DELETE /checkout-webhooks/{webhookId}', account, {
          path: { webhookId: id },
        });

  /** The secret of a subscription that was made without an answer is lost: another one is asked for, or another subscription. */
  const recover = async (one: Wanted): Promise<Data> => {
    const rows: readonly Data[] = (await insist(listOf(one.account, one.api))).body?.data ?? [];
    const row = rows.find(({ name }) => name === one.name);
    if (!row) return undefined;
    if (one.api === 'checkout') return void (await insist(removalOf(one, row.id), noting(one.account, 'lost')));
    const path = { id: row.id };
    const { body } = await insist(
      callWithKey(one.account, 'webhooks/regenerate-secret', 'POST /webhooks/{id}/regenerate-secret', { path }),
    );
    return body?.data && { id: row.id, secret: body.data.secret };
  };

  const subscribe = async (account: Account, id: string, chance: Random): Promise<void> => {
    const api = chance.pick(apis);
    const all = api === 'messaging' ? messagingEvents : checkoutEvents;
    const one: Wanted = {
      ...{ api, account, name: `${id} ${wanted.length}` },
      url: `https://${chance.pick(['good', 'good', 'flaky', 'gone', 'gone'])}-${api}-${wanted.length}.example.com/hook`,
      events: chance.isChance(0.5) ? all : all.filter(() => chance.isChance(0.6)),
      isActive: api === 'checkout' || chance.isChance(0.85),
      ...{ creations: [], removals: [], tests: [], resends: [], looks: [], intrusions: [] },
    };
    if (api === 'checkout' && one.events.length === 0) return;
    wanted.push(one);
    const made = await makeOnce(creationOf(one), () => recover(one), noting(account, 'create', one.creations));
    const known = made && { id: made.id ?? made.webhook.id, secret: made.secret };
    if (known) one.made = { ...known, sinceMs: timeline.nowMs() };
  };

  const anyMade = (chance: Random): { readonly one: Wanted; readonly id: string } | undefined => {
    const some = wanted.flatMap((one) => (one.made ? [{ one, id: one.made.id }] : []));
    return some[chance.below(some.length)];
  };

  const remove = async (_: Account, __: string, chance: Random): Promise<void> => {
    const chosen = anyMade(chance);
    if (chosen)
      await insist(removalOf(chosen.one, chosen.id), noting(chosen.one.account, 'remove', chosen.one.removals));
  };

  const test = async (_: Account, __: string, chance: Random): Promise<void> => {
    const chosen = anyMade(chance);
    if (chosen?.one.api !== 'messaging') return;
    const path = { id: chosen.id };
    const { account, tests } = chosen.one;
    await noting(
      account,
      'test',
      tests,
    )(callWithKey(account, 'webhooks/test-webhook', 'POST /webhooks/{id}/test', { path }));
  };

  const logsOf = (account: Account, id: string, page: number): Request =>
    callWithKey(account, 'webhooks/list-logs', 'GET /webhooks/{id}/logs', {
      ...{ path: { id }, query: { page: `${page}`, limit: `${logRows}` } },
    });
  const oneOf = (account: Account, id: string): Request =>
    callWithKey(account, 'webhooks/get-webhook', 'GET /webhooks/{id}', { path: { id } });
  const listOfAdmin = (account: Account): Request => byOperator('admin/list-webhooks', 'GET /webhooks', account);

  const look = async (_: Account, __: string, chance: Random): Promise<void> => {
    const chosen = anyMade(chance);
    if (!chosen) return;
    const { api, account, looks } = chosen.one;
    const asked = [
      listOf(account, api),
      logsOf(account, chosen.id, 1),
      oneOf(account, chosen.id),
      listOfAdmin(account),
    ];
    const request = api === 'messaging' ? asked[chance.below(asked.length)] : asked[0];
    if (request) await noting(account, request.does, looks)(request);
  };

  /** Somebody who has heard of the id of another account's subscription. */
  const intrude = async (_: Account, __: string, chance: Random): Promise<void> => {
    const chosen = anyMade(chance);
    const account = accountsNow().find((other) => other !== chosen?.one.account);
    if (!chosen || !account) return;
    const ways = [
      oneOf(account, chosen.id),
      logsOf(account, chosen.id, 1),
      removalOf({ ...chosen.one, account }, chosen.id),
    ] as const;
    await noting(account, 'intrude', chosen.one.intrusions)(chance.pick(ways));
  };

  /** More than an account may have. */
  const crowd = async (account: Account, id: string, chance: Random): Promise<void> => {
    for (let n = 2 + chance.below(3); n > 0; n -= 1)
      timeline.after(chance.below(100), () => void subscribe(account, id, chance));
  };

  const resend = async (chance: Random): Promise<void> => {
    const chosen = anyMade(chance);
    if (!chosen || chosen.one.resends.length > 0) return;
    const { api, account, resends } = chosen.one;
    const place = api === 'messaging' ? '/webhooks' : '/checkout-webhooks';
    const request = byOperator(
      'webhooks/resend-failed',
      `POST ${place}/{webhookId}/deliveries/resend-failed`,
      account,
      {
        ...{ path: { webhookId: chosen.id }, body: { since: new Date(startMs).toISOString() } },
      },
    );
    await insist(request, noting(account, 'resend', resends));
  };

  const acts = [subscribe, subscribe, subscribe, crowd, remove, test, test, look, look, intrude] as const;
  const count = 2 + random.below(7);
  for (let n = 1; n <= count; n += 1) {
    const id = `subscriber ${n}`;
    const chance = randomIn(seed, id);
    const act = n === 1 ? subscribe : chance.pick(acts);
    world.plan(id, startMs + chance.below(n === 1 ? 5_000 : busyMs), () => {
      const accounts = accountsNow();
      const account = accounts[chance.below(accounts.length)];
      if (account) void act(account, id, chance);
    });
  }
  for (let n = random.below(4); n > 0; n -= 1) {
    const chance = randomIn(seed, `resend ${n}`);
    world.plan(`resend ${n}`, startMs + lateMs + chance.below(600_000), () => void resend(chance));
  }

  const logsIn = async (account: Account, id: string, page = 1): Promise<readonly LogsPage[]> => {
    const { body } = await insist(logsOf(account, id, page));
    if (!body?.data) return [];
    return page < body.pages ? [body, ...(await logsIn(account, id, page + 1))] : [body];
  };

  const read = async (account: Account, api: Api): Promise<SubscriptionsReading> => {
    const requests = api === 'messaging' ? [listOf(account, api), listOfAdmin(account)] : [listOf(account, api)];
    const lists: (readonly Data[])[] = [];
    for (const request of requests) lists.push((await insist(request)).body?.data ?? []);
    const alone: SubscriptionsReading['alone'][number][] = [];
    for (const { id } of api === 'messaging' ? (lists[0] ?? []) : [])
      alone.push({ row: (await insist(oneOf(account, id))).body?.data, logs: await logsIn(account, id) });
    return { account, api, lists, alone };
  };

  const readings: SubscriptionsReading[] = [];
  return {
    wanted,
    readings,

    /** Reads all subscriptions when all is quiet and nothing fails any more. */
    readAll: async (): Promise<void> => {
      await wait(Math.max(0, startMs + calmMs - timeline.nowMs()));
      for (const account of accountsNow()) for (const api of apis) readings.push(await read(account, api));
    },
  };
};

export type Subscribers = Awaited<ReturnType<typeof openSubscribers>>;
