import { type EventName, eventsBetween, type MessageState } from '../../shared/webhooks/events.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Fields } from './table/value.ts';

const waitsSeconds = [5, 60, 300, 1_800];
/** Between the time of an attempt and its call: queues count in seconds, schedules in minutes, and jobs come late or back. */
const mostLateMs = 20 * 60_000;

const longestRunMs = 25_000;

type WebhookFact = AccountFacts['webhooks'][number];
type DeliveryFact = WebhookFact['deliveries'][number];

const ofDeliveries =
  (what: (delivery: DeliveryFact, fact: WebhookFact, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    judged.facts.flatMap(({ webhooks }) =>
      webhooks.flatMap((fact) =>
        fact.deliveries.flatMap((delivery) => {
          const broken = what(delivery, fact, judged);
          return broken === false ? [] : [`${delivery.event} to ${fact.url} (${delivery.state}): ${broken}`];
        }),
      ),
    );

const stateIn = (row: Fields): MessageState => {
  const at = (name: string) => (row[name] === undefined ? null : String(row[name]));
  return {
    channel: row['channel'] as MessageState['channel'],
    status: row['status'] as MessageState['status'],
    sentAt: at('sentAt'),
    deliveredAt: at('deliveredAt'),
    failedAt: at('failedAt'),
  };
};

interface Happened {
  readonly name: EventName;
  readonly message: string;
  readonly status: string;
}

/** Each event of messages, by what their rows went through. */
const happened = ({ world }: Judged): readonly (Happened & { readonly account: unknown })[] =>
  world.changes.flatMap(({ before, after }) => {
    if (after?.['entity'] !== 'message') return [];
    const names = eventsBetween(before && stateIn(before), stateIn(after));
    const { SK: message, status, account } = after;
    return names.map((name) => ({ name, message: String(message), status: String(status), account }));
  });

const isWanted = ({ wanted }: WebhookFact, name: string): boolean => wanted.includes(name);

const isWhole = (numbers: readonly number[]): boolean =>
  numbers.toSorted((a, b) => a - b).every((number, n) => number === n + 1);

export const webhookInvariants: readonly Invariant[] = [
  {
    name: 'every transition has its event, once',
    violations: (judged) =>
      judged.facts.flatMap(({ account, storedEvents, events }) => {
        const own = happened(judged).filter((one) => one.account === account.ref.id);
        const expected = own.map(({ name }) => String(name)).toSorted();
        const found = storedEvents.map(({ event }) => String(event)).toSorted();
        const listed = events.map(({ name }) => name).toSorted();
        if (expected.join() !== found.join()) return [`${expected.join()} happened, ${found.join()} are stored`];
        return listed.join() === found.join() ? [] : [`${found.join()} are stored, ${listed.join()} are in the log`];
      }),
  },
  {
    name: 'sequence numbers have no gap',
    violations: ({ facts }) =>
      facts.flatMap(({ events, storedEvents, webhooks }) => [
        ...(isWhole(events.map(({ position }) => position)) ? [] : ['the log has a gap']),
        ...(isWhole(storedEvents.map(({ position }) => Number(position)))
          ? []
          : ['the positions of events have a gap']),
        ...webhooks.flatMap((fact) =>
          isWhole(fact.deliveries.map(({ sequence }) => sequence)) ? [] : [`the numbers of ${fact.url} have a gap`],
        ),
      ]),
  },
  {
    name: 'every active subscription gets each event that it wants, as one delivery',
    violations: ({ facts }) =>
      facts.flatMap(({ storedEvents, webhooks }) =>
        webhooks.flatMap((fact) => {
          const expected = storedEvents.filter(({ event }) => isWanted(fact, String(event))).length;
          const events = new Set(fact.deliveries.map(({ eventId }) => eventId));
          return events.size === expected && fact.deliveries.length === expected
            ? []
            : [`${fact.url}: ${expected} events, ${fact.deliveries.length} deliveries of ${events.size}`];
        }),
      ),
  },
  {
    name: 'every delivery ends, after a success or five attempts',
    violations: ofDeliveries(({ state, attemptsMade, attempts }) => {
      const last = attempts.at(-1)?.statusCode;
      if (state === 'succeeded') return last !== 200 && `its last attempt was answered ${last}`;
      return (state !== 'failed' || attemptsMade !== waitsSeconds.length + 1) && `${attemptsMade} attempts`;
    }),
  },
  {
    name: 'attempts are made at the right instants',
    violations: ofDeliveries(({ attempts }) => {
      const late = attempts.slice(1).flatMap(({ startedMs, number }, n) => {
        const before = attempts[n];
        const dueMs = (before?.startedMs ?? 0) + (before?.responseTime ?? 0) + 1_000 * (waitsSeconds[number - 2] ?? 0);
        const lateMs = startedMs - dueMs;
        return lateMs < -1_000 || lateMs > mostLateMs ? [`attempt ${number} was ${lateMs} ms after its time`] : [];
      });
      return late.length > 0 && late.join();
    }),
  },
  {
    name: 'what is recorded was called, and a success is not called again',
    violations: ofDeliveries(({ eventId, attempts }, { url }, { messaging, world }) => {
      const posts = messaging.posts.filter((post) => post.url === url && JSON.parse(post.body).id === eventId);
      const unmade =
        attempts.filter(({ statusCode }) => statusCode === 200).length >
        posts.filter(({ statusCode }) => statusCode === 200).length;
      if (unmade) return 'an attempt is recorded that was not made';
      // Only a fault hides a call from the product, and a job that comes twice may be worked on twice at once: one outcome is recorded.
      const isCalm = world.machine.faultsMet.length === 0;
      const success = attempts.find(({ statusCode }) => statusCode === 200)?.startedMs ?? Number.POSITIVE_INFINITY;
      return isCalm && posts.some(({ atMs }) => atMs > success + longestRunMs) && 'it was called after its success';
    }),
  },
  {
    name: 'totals equal finished deliveries',
    violations: ({ facts }) =>
      facts.flatMap(({ webhooks }) =>
        webhooks.flatMap(({ url, webhook, deliveries }) => {
          const [sent, failed] = ['succeeded', 'failed'].map(
            (state) => deliveries.filter((one) => one.state === state).length,
          );
          return webhook.totalSent === sent && webhook.totalFailed === failed
            ? []
            : [
                `${url}: ${webhook.totalSent} and ${webhook.totalFailed} by totals, ${sent} and ${failed} by deliveries`,
              ];
        }),
      ),
  },
  {
    name: 'an event is of its message, as the message was then',
    violations: (judged) => {
      const all = happened(judged);
      const accounts = judged.messaging.accounts;
      return judged.messaging.posts.flatMap(({ body, url }) => {
        const { event, data } = JSON.parse(body);
        const { id, status } = data.message;
        const one = all.find(({ name, message }) => name === event && message === id);
        const account = accounts.find(({ webhooks }) => webhooks.some((webhook) => webhook.url === url));
        if (one?.account !== account?.ref.id) return [`${url} got ${event} of ${id}`];
        return one?.status === status ? [] : [`${event} of ${id} shows ${status}, and it was ${one?.status}`];
      });
    },
  },
];
