import { createHmac } from 'node:crypto';
import { testEvent } from '../../shared/webhooks/events.ts';
import type { Data } from './client.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Posted } from './messaging.ts';
import { isDone, type Try } from './patient-client.ts';
import { mostSubscriptions } from './sizes.ts';
import type { SubscriptionsReading, Wanted } from './subscribers.ts';
import type { Fields } from './table/value.ts';

type WebhookFact = AccountFacts['feeds'][number]['webhooks'][number];

/** As long as a function runs, and what it had sent before it ended: it may have read the subscription as it was before. */
const longestRunMs = 30_000;

const ofWanted =
  (what: (one: Wanted, judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    (judged.subscribers?.wanted ?? []).flatMap((one) => what(one, judged).map((broken) => `${one.name}: ${broken}`));

const ofReadings =
  (what: (reading: SubscriptionsReading, judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    (judged.subscribers?.readings ?? []).flatMap((reading) =>
      what(reading, judged).map((broken) => `${reading.api} of ${reading.account.ref.id}: ${broken}`),
    );

const factOf = ({ made }: Wanted, { facts }: Judged): WebhookFact | undefined =>
  facts
    .flatMap(({ feeds }) => feeds.flatMap(({ webhooks }) => webhooks))
    .find(({ webhook }) => webhook.id === made?.id);

const postsTo = ({ url }: Wanted, { messaging }: Judged): readonly Posted[] =>
  messaging.posts.filter((post) => post.url === url);

const eventIn = ({ body }: Posted): unknown => JSON.parse(body).event;

const statusOf = ({ end }: Try): number => end?.answer.status ?? 503;

const isSubscription = (item: Fields | undefined, { ref }: Wanted['account'], api: Wanted['api']): boolean =>
  item?.['entity'] === 'webhook' && item['account'] === ref.id && (item['api'] === 'checkout') === (api === 'checkout');

/** How many subscriptions an account had after each change of the table. */
const countsOf = ({ account, api }: Pick<Wanted, 'account' | 'api'>, { world }: Judged): readonly number[] => {
  let count = 0;
  return world.changes.map(({ before, after }) => {
    count += Number(isSubscription(after, account, api)) - Number(isSubscription(before, account, api));
    return count;
  });
};

const isOverLimit = ({ status, body }: NonNullable<Try['end']>['answer']): boolean =>
  status === 400 && /limit of \d+ subscriptions/.test(JSON.stringify(body));

/** Whether an account could have had as many subscriptions as it may when one was refused for that. */
const wasFull = (one: Wanted, { from, end }: Try, judged: Judged): boolean =>
  countsOf(one, judged)
    .slice(Math.max(0, from - 1), end?.to)
    .some((count) => count >= mostSubscriptions);

const signedBy = (secret: string, { headers, body }: Posted): boolean => {
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const { 'X-Service-Signature': own, 'X-Webhook-Signature': legacy, 'X-Checkout-Signature': checkout } = headers;
  const seconds = /t=(\d+)/.exec(own ?? '')?.[1];
  const isOwn = own === undefined || own === `t=${seconds},v1=${hmac(`${seconds}.${body}`)}`;
  return isOwn && (checkout === undefined ? legacy === hmac(body) : checkout === `sha256=${hmac(body)}`);
};

const isRemoved = ({ removals }: Wanted): boolean => removals.some(isDone);

/** The delivery of a test that its answer tells of. */
const isOfTest = (delivery: WebhookFact['deliveries'][number], { fromMs, end }: Try): boolean => {
  const [{ startedMs = 0, statusCode = 0 } = {}] = delivery.attempts;
  const { data } = end?.answer.body ?? {};
  return startedMs >= fromMs && startedMs <= (end?.atMs ?? 0) && statusCode === data?.statusCode;
};

/** The rows of the deliveries of a subscription, one after the other, in the first changes of the table. */
const rowsIn = ({ made }: Wanted, { world }: Judged, changes: number): ReadonlyMap<string, readonly Fields[]> => {
  const rows = world.changes
    .slice(0, changes)
    .flatMap(({ after }) => (after?.['entity'] === 'delivery' && after['PK'] === `WH#${made?.id}` ? [after] : []));
  return Map.groupBy(rows, ({ SK }) => String(SK));
};

const sorted = (ids: readonly string[]): string => ids.toSorted().join();

export const subscriberInvariants: readonly Invariant[] = [
  {
    name: 'a subscription that was wanted is there once, unless it was refused or deleted',
    violations: ofReadings(({ account, api, lists }, { subscribers }) =>
      (subscribers?.wanted ?? [])
        .filter((one) => one.account === account && one.api === api)
        .flatMap((one) =>
          lists.flatMap((rows) => {
            const found = rows.filter(({ name }) => name === one.name);
            const isThere = found.some(({ id }) => id === one.made?.id);
            if (found.length > 1) return [`${found.length} are named ${one.name}`];
            if (one.made && one.removals.length === 0 && !isThere) return [`${one.name} is not there`];
            if (isRemoved(one) && isThere) return [`${one.name} is there still`];
            const isRefused = one.creations.every((creation) => statusOf(creation) === 400);
            return isRefused && found.length > 0 ? [`${one.name} was refused and is there`] : [];
          }),
        ),
    ),
  },
  {
    name: 'an account has as many subscriptions as it may, and is refused another one only then',
    violations: ofWanted((one, judged) => [
      ...(Math.max(0, ...countsOf(one, judged)) > mostSubscriptions ? ['its account had more than it may'] : []),
      ...one.creations.flatMap((creation) =>
        creation.end && isOverLimit(creation.end.answer) && !wasFull(one, creation, judged) ? ['it was refused'] : [],
      ),
      ...one.creations.flatMap((creation) =>
        [201, 400].includes(statusOf(creation)) || statusOf(creation) >= 500 ? [] : [`${statusOf(creation)}`],
      ),
    ]),
  },
  {
    name: 'of a subscription that its owner deleted nothing is left, and it is not called',
    violations: ofWanted((one, judged) => {
      const id = one.made?.id;
      const doneMs = Math.min(...one.removals.filter(isDone).map(({ end }) => end?.atMs ?? 0));
      if (id === undefined || doneMs === Number.POSITIVE_INFINITY) return [];
      const left = judged.world.table.all().filter(({ PK, SK }) => `${PK} ${SK}`.includes(id));
      const late = postsTo(one, judged).filter(({ atMs }) => atMs > doneMs + longestRunMs);
      return [
        ...left.map(({ PK, SK }) => `${PK} ${SK} is left`),
        ...late.map(({ atMs }) => `called ${atMs - doneMs} ms after it was deleted`),
      ];
    }),
  },
  {
    name: 'a subscription that is there is found',
    violations: ofWanted(({ made, removals, looks, tests, resends }) =>
      [...looks, ...tests, ...resends].flatMap((one) => {
        const isThere = made && removals.every(({ from }) => from > (one.end?.to ?? 0));
        return isThere &&
          statusOf(one) >= 400 &&
          statusOf(one) < 500 &&
          !(resends.includes(one) && statusOf(one) === 400)
          ? [`${one.what} was answered ${statusOf(one)}`]
          : [];
      }),
    ),
  },
  {
    name: 'nobody but its account has a subscription',
    violations: ofWanted(({ intrusions }) =>
      intrusions.flatMap((one) =>
        statusOf(one) === 404 || statusOf(one) >= 500 ? [] : [`a stranger was answered ${statusOf(one)}`],
      ),
    ),
  },
  {
    name: 'what is sent to a subscription is what it asked for, signed with the secret that was shown',
    violations: ofWanted((one, judged) =>
      postsTo(one, judged).flatMap((post) => {
        const { made, events, isActive } = one;
        if (eventIn(post) === testEvent) return [];
        if (!isActive || !events.some((name) => name === eventIn(post))) return [`it got ${eventIn(post)}`];
        const isLater = made && post.atMs > made.sinceMs + (one.creations.every(isDone) ? 0 : longestRunMs);
        return isLater && !signedBy(made.secret, post) ? [`${eventIn(post)} was signed with another secret`] : [];
      }),
    ),
  },
  {
    name: 'a test is one call, and one row of the log',
    violations: ofWanted((one, judged) => {
      const fact = factOf(one, judged);
      const calls = postsTo(one, judged).filter((post) => eventIn(post) === testEvent);
      const rows = (fact?.deliveries ?? []).filter(({ event }) => event === testEvent);
      const done = one.tests.filter(isDone);
      const isCounted = calls.length <= one.tests.length && rows.length <= one.tests.length;
      if (!isCounted) return [`${calls.length} calls and ${rows.length} rows of ${one.tests.length} tests`];
      if (isRemoved(one) || !fact) return [];
      if (rows.length < done.length) return [`${rows.length} rows of ${done.length} tests`];
      const missing = done.filter((test) => !rows.some((row) => isOfTest(row, test)));
      return missing.map(({ end }) => `the log has not the test of ${end?.atMs}`);
    }),
  },
  {
    name: 'what has failed is sent again once when it is asked for, and nothing else',
    violations: ofWanted((one, judged) => {
      const [first, last] = [one.resends[0], one.resends.find(isDone)];
      const fact = factOf(one, judged);
      if (!first || !last?.end || !fact?.webhook.isActive) return [];
      const [before, after] = [rowsIn(one, judged, first.from), rowsIn(one, judged, last.end.to)];
      return fact.deliveries.flatMap(({ id, eventId, earlierAttempts }) => {
        if (eventId === undefined || judged.clerks?.resent.has(id)) return [];
        const was = before.get(id)?.at(-1);
        if (was?.['state'] === 'failed')
          return earlierAttempts === Number(was['attemptsMade']) ? [] : [`${id} was sent again not once`];
        // It may fail while the request is under way.
        const hasFailed = after.get(id)?.some(({ state }) => state === 'failed') === true;
        return !hasFailed && earlierAttempts > 0 ? [`${id} was sent again, and had not failed`] : [];
      });
    }),
  },
  {
    name: 'logs and lists of subscriptions say what was delivered',
    violations: ofReadings(({ account, api, lists, alone }, { facts, world }) => {
      const feed = facts.find((one) => one.account === account)?.feeds.find((one) => one.api === api);
      const rows = world.table.all().filter((item) => isSubscription(item, account, api));
      const wrong = lists.filter((list) => sorted(list.map(({ id }) => id)) !== sorted(rows.map(({ SK }) => `${SK}`)));
      return [
        ...wrong.map((list) => `${list.length} of ${rows.length} are listed`),
        ...alone.flatMap(({ row, logs }) => {
          if (!row) return ['one that is listed is not found'];
          const fact = feed?.webhooks.find(({ webhook }) => webhook.id === row.id);
          return fact ? wrongIn(fact, row, logs, lists.flat()) : [];
        }),
      ];
    }),
  },
];

/** What the log of a subscription, or its totals, have wrong. */
const wrongIn = (
  { webhook, deliveries, url }: WebhookFact,
  row: Data,
  logs: SubscriptionsReading['alone'][number]['logs'],
  listed: readonly Data[],
): readonly string[] => {
  const shown = logs.flatMap(({ data }) => data);
  const all = [row, ...listed.filter(({ id }) => id === row.id)];
  const isTotal = all.every(
    (one) => one.totalSent === webhook.totalSent && one.totalFailed === webhook.totalFailed && one.url === url,
  );
  const wrong = deliveries.filter(({ id, attemptsMade, attempts, event }, n) => {
    const line = shown[n];
    const statusCode = attempts.at(-1)?.statusCode ?? 0;
    const isSaid = line?.id === id && line.attempts === attemptsMade && line.event === event;
    return !isSaid || line.statusCode !== statusCode || line.success !== (statusCode === 200);
  });
  return [
    ...(isTotal ? [] : [`${url} is read as ${JSON.stringify(all)}`]),
    ...(logs.every(({ total }) => total === deliveries.length) && shown.length === deliveries.length
      ? []
      : [`the log of ${url} has ${shown.length} of ${deliveries.length}`]),
    ...wrong.map(({ id }) => `the log of ${url} does not say what became of ${id}`),
  ];
};
