import { eventOfPayment, eventOfRefund, type PaymentState, type RefundState } from '../../shared/checkout/events.ts';
import { rowFrom } from '../../shared/table/messages/message-items.ts';
import { eventsBetween, testEvent } from '../../shared/webhooks/events.ts';
import type { Merchant } from './checkout.ts';
import { wasDone } from './developer-invariants.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Fields } from './table/value.ts';

const waitsSeconds = [5, 60, 300, 1_800];
/** Between the time of an attempt and its call: queues count in seconds, schedules in minutes, and jobs come late or back. */
const mostLateMs = 20 * 60_000;

const longestRunMs = 25_000;

type Feed = AccountFacts['feeds'][number];
type WebhookFact = Feed['webhooks'][number];
type DeliveryFact = WebhookFact['deliveries'][number];

const feedsIn = ({ facts }: Judged): readonly Feed[] => facts.flatMap(({ feeds }) => feeds);

const ofDeliveries =
  (what: (delivery: DeliveryFact, fact: WebhookFact, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    feedsIn(judged).flatMap(({ webhooks }) =>
      webhooks.flatMap((fact) =>
        fact.deliveries.flatMap((delivery) => {
          const broken = what(delivery, fact, judged);
          return broken === false ? [] : [`${delivery.event} to ${fact.url} (${delivery.state}): ${broken}`];
        }),
      ),
    );

interface Happened {
  /** Its place among the changes of the table. */
  readonly at: number;
  readonly name: string;
  /** The message, payment, refund or session, and its status then. */
  readonly id: string;
  readonly status: string;
  readonly account: unknown;
}

const checkoutEventIn = (before: Fields | undefined, after: Fields): string | undefined => {
  if (before?.['status'] === after['status']) return undefined;
  const is = after as unknown as PaymentState & RefundState;
  if (after['entity'] === 'payment') return eventOfPayment(is);
  if (after['entity'] === 'refund') return eventOfRefund(is);
  const hasExpired = after['entity'] === 'checkout-session' && after['status'] === 'EXPIRED';
  return hasExpired ? 'checkout_session.expired' : undefined;
};

/** Each event of an API, by what its rows went through. */
const happened = ({ world }: Judged, api: Feed['api']): readonly Happened[] =>
  world.changes.flatMap(({ before, after }, at) => {
    if (!after) return [];
    const { status, account } = after;
    const about = { at, status: String(status), account };
    if (api === 'checkout') {
      const name = checkoutEventIn(before, after);
      return name === undefined
        ? []
        : [{ name, id: String(after[String(after['entity']).split('-').at(-1) ?? '']), ...about }];
    }
    // Those of campaigns and automations have none.
    if (after['entity'] !== 'message' || after['origin'] !== 'api') return [];
    const names = eventsBetween(before && rowFrom(before), rowFrom(after));
    return names.map((name) => ({ name, id: String(after['SK']), ...about }));
  });

interface EventData {
  readonly message?: { readonly id: string; readonly status: string; readonly to: string; readonly metadata: unknown };
  readonly amountMinor?: number;
  readonly paymentId?: string;
  readonly refundId?: string;
  readonly checkoutSessionId?: string;
  readonly status?: string;
}

/** What an event's body is about. A refund's body names its payment too. */
const subjectIn = ({ message, refundId, paymentId, checkoutSessionId, status }: EventData) =>
  message ?? { id: refundId ?? paymentId ?? checkoutSessionId, status };

const ownerOf = ({ account: { ref }, webhooks }: Merchant) => ({ ref, webhooks });

/** The calls of one delivery. */
const postsOf = ({ id, eventId }: DeliveryFact, { url }: WebhookFact, { messaging }: Judged) =>
  messaging.posts.filter(
    ({ url: to, headers }) =>
      to === url && (headers['webhook-id'] === eventId || headers['X-Checkout-Delivery'] === id),
  );

const hasSucceeded = ({ attempts }: DeliveryFact): boolean => attempts.some(({ statusCode }) => statusCode === 200);

const isWanted = ({ wanted }: WebhookFact, name: string): boolean => wanted.includes(name);

/** All deliveries but those of tests. */
const ofEvents = ({ deliveries }: WebhookFact): readonly DeliveryFact[] =>
  deliveries.filter(({ eventId }) => eventId !== undefined);

/** How many events a subscription gets: those that happened since it was there, and perhaps those that were under way when it came. */
const wantedSince = (fact: WebhookFact, { account, api, storedEvents }: Feed, judged: Judged) => {
  const { changes } = judged.world;
  const from = changes.findIndex(({ before, after }) => !before && after?.['SK'] === fact.webhook.id);
  const own = happened(judged, api).filter((one) => one.account === account.ref.id && isWanted(fact, one.name));
  const stored = new Set(changes.slice(from).flatMap(({ before, after }) => (before ? [] : [after?.['PK']])));
  return {
    least: own.filter(({ at }) => at > from).length,
    most: storedEvents.filter(({ event, PK }) => isWanted(fact, String(event)) && stored.has(PK)).length,
  };
};

/** Whether what had failed was sent again. */
const wasResent = ({ subscribers, clerks }: Judged, { webhook }: WebhookFact, delivery: string): boolean =>
  clerks?.resent.has(delivery) === true ||
  (subscribers?.wanted ?? []).some(({ made, resends }) => made?.id === webhook.id && resends.length > 0);

/** Whether these are the numbers from 1 on, in any order. */
export const isWhole = (numbers: readonly number[]): boolean =>
  numbers.toSorted((a, b) => a - b).every((number, n) => number === n + 1);

export const webhookInvariants: readonly Invariant[] = [
  {
    name: 'every transition has its event, once',
    violations: (judged) =>
      feedsIn(judged).flatMap(({ account, api, storedEvents, events }) => {
        const own = happened(judged, api).filter((one) => one.account === account.ref.id);
        const expected = own.map(({ name }) => String(name)).toSorted();
        const found = storedEvents.map(({ event }) => String(event)).toSorted();
        const listed = events.map(({ name }) => name).toSorted();
        if (expected.join() !== found.join()) return [`${expected.join()} happened, ${found.join()} are stored`];
        return listed.join() === found.join() ? [] : [`${found.join()} are stored, ${listed.join()} are in the log`];
      }),
  },
  {
    name: 'sequence numbers have no gap',
    violations: (judged) =>
      feedsIn(judged).flatMap(({ events, storedEvents, webhooks }) => [
        ...(isWhole(events.map(({ position }) => position)) ? [] : ['the log has a gap']),
        ...(isWhole(storedEvents.map(({ position }) => Number(position)))
          ? []
          : ['the positions of events have a gap']),
        ...webhooks.flatMap((fact) =>
          wasDone(judged, fact.webhook.id, 'pause') || isWhole(ofEvents(fact).map(({ sequence }) => sequence))
            ? []
            : [`the numbers of ${fact.url} have a gap`],
        ),
      ]),
  },
  {
    name: 'each call has the number of its event, and numbers follow the log',
    violations: (judged) => [
      ...ofDeliveries((delivery, fact) => {
        const shown = postsOf(delivery, fact, judged).map(({ headers }) => headers['X-Service-Sequence']);
        const isRight = delivery.eventId === undefined || shown.every((each) => each === String(delivery.sequence));
        return !isRight && `${shown.join()} instead of ${delivery.sequence}`;
      })(judged),
      ...feedsIn(judged).flatMap(({ webhooks, events }) =>
        webhooks.flatMap((fact) => {
          const ordered = ofEvents(fact).toSorted((one, other) => one.sequence - other.sequence);
          const places = ordered.map(({ eventId }) => events.findIndex(({ id }) => id === eventId));
          return places.every((place, n) => n === 0 || place > (places[n - 1] ?? 0))
            ? []
            : [`the numbers of ${fact.url} are those of ${places.join()} in the log`];
        }),
      ),
    ],
  },
  {
    name: 'every active subscription gets each event that it wants, as one delivery',
    violations: (judged) =>
      feedsIn(judged).flatMap((feed) =>
        feed.webhooks.flatMap((fact) => {
          if (wasDone(judged, fact.webhook.id, 'pause') || !fact.webhook.isActive) return [];
          const { least, most } = wantedSince(fact, feed, judged);
          const deliveries = ofEvents(fact);
          const events = new Set(deliveries.map(({ eventId }) => eventId));
          return events.size === deliveries.length && events.size >= least && events.size <= most
            ? []
            : [`${fact.url}: ${least} to ${most} events, ${deliveries.length} deliveries of ${events.size}`];
        }),
      ),
  },
  {
    name: 'every delivery ends, after a success or five attempts',
    violations: ofDeliveries(({ state, attemptsMade, earlierAttempts, attempts, eventId }, { webhook }, judged) => {
      if (state === 'cancelled' && wasDone(judged, webhook.id, 'pause')) return false;
      const last = attempts.at(-1)?.statusCode;
      if (state === 'succeeded') return last !== 200 && `its last attempt was answered ${last}`;
      const made = attemptsMade - earlierAttempts;
      const most = eventId === undefined ? 1 : waitsSeconds.length + 1;
      return (state !== 'failed' || made !== most) && `${made} attempts`;
    }),
  },
  {
    name: 'attempts are made at the right instants',
    violations: ofDeliveries(({ id, attempts }, fact, judged) => {
      if (wasResent(judged, fact, id) || wasDone(judged, fact.webhook.id, 'replay')) return false;
      if (judged.world.queues.losesJobs) return false;
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
    violations: ofDeliveries((delivery, fact, judged) => {
      const { id, eventId, attempts } = delivery;
      if (eventId === undefined) return false;
      const { world } = judged;
      const { webhook } = fact;
      const posts = postsOf(delivery, fact, judged);
      const unmade =
        attempts.filter(({ statusCode }) => statusCode === 200).length >
        posts.filter(({ statusCode }) => statusCode === 200).length;
      if (unmade) return 'an attempt is recorded that was not made';
      // Only a fault hides a call from the product, and a job that comes twice may be worked on twice at once: one outcome is recorded.
      const isAgain = wasResent(judged, fact, id) || wasDone(judged, webhook.id, 'replay');
      const isCalm = world.machine.faultsMet.length === 0 && !isAgain;
      const success = attempts.find(({ statusCode }) => statusCode === 200)?.startedMs ?? Number.POSITIVE_INFINITY;
      return isCalm && posts.some(({ atMs }) => atMs > success + longestRunMs) && 'it was called after its success';
    }),
  },
  {
    name: 'totals equal finished deliveries',
    violations: (judged) =>
      feedsIn(judged).flatMap(({ webhooks }) =>
        webhooks.flatMap(({ url, webhook, deliveries }) => {
          // What has succeeded stays so, even if it is sent again in vain.
          const sent = deliveries.filter(hasSucceeded).length;
          const failed = deliveries.filter((one) => one.state === 'failed' && !hasSucceeded(one)).length;
          return webhook.totalSent === sent && webhook.totalFailed === failed
            ? []
            : [
                `${url}: ${webhook.totalSent} and ${webhook.totalFailed} by totals, ${sent} and ${failed} by deliveries`,
              ];
        }),
      ),
  },
  {
    name: 'an event is of its message or payment, as that was then',
    violations: (judged) => {
      const all = [...happened(judged, 'messaging'), ...happened(judged, 'checkout')];
      const owned = [
        ...[...judged.messaging.accounts, ...(judged.checkout?.merchants ?? []).map(ownerOf)],
        ...(judged.subscribers?.wanted ?? []).map(({ account: { ref }, url }) => ({ ref, webhooks: [{ url }] })),
      ];
      const owners = new Map(owned.flatMap(({ ref, webhooks }) => webhooks.map(({ url }) => [url, ref.id])));
      return judged.messaging.posts.flatMap(({ body, url }) => {
        const { event, data }: { readonly event: string; readonly data: EventData } = JSON.parse(body);
        if (event === testEvent) return [];
        const { id, status } = subjectIn(data);
        const one = all.find((each) => each.name === event && each.id === id);
        if (one?.account !== owners.get(url)) return [`${url} got ${event} of ${id}`];
        return status === undefined || one?.status === status
          ? []
          : [`${event} of ${id} shows ${status}, and it was ${one?.status}`];
      });
    },
  },
  {
    name: 'an event shows to whom its message went and its metadata, or the amount of its payment',
    violations: ({ messaging: { posts }, facts }) => {
      const messages = new Map(facts.flatMap((one) => one.messages.map(({ message }) => [message.id, message])));
      const payments = facts.flatMap(({ sessions }) => sessions.flatMap((one) => one.payments));
      const amounts = new Map(payments.map(({ id, amountMinor }) => [id, amountMinor]));
      return posts.flatMap(({ body }) => {
        const { event, data }: { readonly event: string; readonly data: EventData } = JSON.parse(body);
        const { message, paymentId = '', refundId, amountMinor } = data;
        const row = message && messages.get(message.id);
        const isRight = row
          ? message.to === row.to && JSON.stringify(message.metadata) === row.metadata.text
          : refundId !== undefined || amountMinor === amounts.get(paymentId);
        return isRight ? [] : [`${event}: ${body}`];
      });
    },
  },
];
