import { createHmac } from 'node:crypto';
import type { Subscription } from './accounts.ts';
import type { Doing } from './developers.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Posted } from './messaging.ts';

/** As long as a function runs, and what it had sent before it ended: it may have read the subscription as it was before. */
const longestRunMs = 30_000;

const doingsOf = ({ developers }: Judged, webhook: string, ...kinds: readonly Doing['what'][]): readonly Doing[] =>
  (developers?.doings ?? []).filter((one) => one.webhook === webhook && kinds.includes(one.what));

/** Whether somebody did one of these to a subscription, or tried. */
export const wasDone = (judged: Judged, webhook: string, ...kinds: readonly Doing['what'][]): boolean =>
  doingsOf(judged, webhook, ...kinds).length > 0;

/** Since when a doing is done for every run; never, if its answer does not say so. */
const sureMs = ({ end }: Doing): number =>
  end && end.status < 300 ? end.atMs + longestRunMs : Number.POSITIVE_INFINITY;

/** Until when a doing may be done. */
const overMs = ({ end }: Doing): number => (end ? end.atMs + longestRunMs : Number.POSITIVE_INFINITY);

const ofSubscriptions =
  (what: (subscription: Subscription, judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    judged.developers === undefined
      ? []
      : judged.messaging.accounts.flatMap(({ webhooks }) =>
          webhooks.flatMap((each) => what(each, judged).map((broken) => `${each.url}: ${broken}`)),
        );

const postsTo = ({ url }: Subscription, { messaging }: Judged): readonly Posted[] =>
  messaging.posts.filter((post) => post.url === url);

const signaturesOf = ({ headers }: Posted): readonly string[] =>
  (headers['X-Service-Signature'] ?? '').split(',').flatMap((part) => (part.startsWith('v1=') ? [part.slice(3)] : []));

const isSignedWith = (post: Posted, secret: string): boolean => {
  const seconds = /t=(\d+)/.exec(post.headers['X-Service-Signature'] ?? '')?.[1];
  return signaturesOf(post).includes(createHmac('sha256', secret).update(`${seconds}.${post.body}`).digest('hex'));
};

const overlapOf = ({ what, overlapMs }: Doing): number => (what === 'rotate' ? overlapMs : 0);

/** The secrets of a subscription, one after the other, with the times from which and until which only they are valid. */
const secretsOf = (subscription: Subscription, judged: Judged) => {
  const changes = doingsOf(judged, subscription.id, 'rotate', 'regenerate');
  /** Of two at once, nobody knows which was the last. */
  const secretOf = (change: Doing): string | undefined => {
    const isAlone = changes.every(
      (other) => other === change || overMs(other) < change.fromMs || other.fromMs > sureMs(change),
    );
    return isAlone ? change.end?.secret : undefined;
  };
  /** The secret that a change replaced, while it stays valid. */
  const replacedBy = (change: Doing | undefined) => {
    if (change === undefined) return [];
    const before = changes[changes.indexOf(change) - 1];
    const secret = before ? secretOf(before) : subscription.secret;
    return secret === undefined ? [] : [{ secret, untilMs: change.fromMs + overlapOf(change) }];
  };
  return changes.flatMap((change, n) => {
    const [before, next] = [changes[n - 1], changes[n + 1]];
    const secret = secretOf(change);
    if (secret === undefined) return [];
    const isOlderKept = before && secretOf(before) !== undefined && overlapOf(change) > 0;
    const earlier = [...replacedBy(change), ...(isOlderKept ? replacedBy(before) : [])];
    const untilMs = next?.fromMs ?? Number.POSITIVE_INFINITY;
    const ended = changes.slice(0, n + 1).findLastIndex((one) => overlapOf(one) === 0 && secretOf(one) !== undefined);
    const overlaps = changes.slice(Math.max(ended, 0), n + 1).map((one) => one.fromMs + overlapOf(one));
    return [{ secret, earlier, fromMs: sureMs(change), untilMs, aloneFromMs: Math.max(...overlaps) }];
  });
};

export const developerInvariants: readonly Invariant[] = [
  {
    name: 'a subscription that is paused or deleted is not called',
    violations: ofSubscriptions((subscription, judged) =>
      doingsOf(judged, subscription.id, 'pause', 'remove').flatMap((end) => {
        const resumes = end.what === 'pause' ? doingsOf(judged, subscription.id, 'resume') : [];
        const later = resumes.filter((one) => overMs(one) > end.fromMs).map(({ fromMs }) => fromMs);
        const resumedMs = Math.min(...later, Number.POSITIVE_INFINITY);
        return postsTo(subscription, judged)
          .filter(({ atMs }) => atMs > sureMs(end) && atMs < resumedMs)
          .map(({ atMs }) => `called ${atMs - sureMs(end)} ms after its ${end.what}`);
      }),
    ),
  },
  {
    name: 'of a deleted subscription nothing is left',
    violations: ofSubscriptions(({ id }, judged) => {
      if (doingsOf(judged, id, 'remove').every((one) => sureMs(one) === Number.POSITIVE_INFINITY)) return [];
      const left = judged.world.table.all().filter(({ PK, SK }) => `${PK} ${SK}`.includes(id));
      return left.map(({ PK, SK }) => `${PK} ${SK} is left`);
    }),
  },
  {
    name: 'a call is signed with the secrets of its time',
    violations: ofSubscriptions((subscription, judged) =>
      secretsOf(subscription, judged).flatMap(({ secret, earlier, fromMs, untilMs, aloneFromMs }) =>
        postsTo(subscription, judged)
          .filter(({ atMs }) => atMs > fromMs && atMs < untilMs)
          .flatMap((post) => {
            if (!isSignedWith(post, secret)) return ['not signed with its secret'];
            const valid = earlier.filter((one) => post.atMs < one.untilMs - 1_000);
            if (!valid.every((one) => isSignedWith(post, one.secret))) return ['not signed with a secret before'];
            return post.atMs > aloneFromMs + 2 * longestRunMs && signaturesOf(post).length > 1
              ? ['signed with a secret that has ended']
              : [];
          }),
      ),
    ),
  },
  {
    name: 'what a replay promises is delivered',
    violations: (judged) =>
      judged.facts.flatMap(({ feeds }) =>
        feeds.flatMap(({ storedEvents, webhooks }) =>
          webhooks.flatMap(({ url, webhook, wanted, deliveries }) => {
            const replay = doingsOf(judged, webhook.id, 'replay').at(-1);
            if (!replay || replay.isOnlyFailed || replay.end?.status !== 202 || !webhook.isActive) return [];
            if (doingsOf(judged, webhook.id, 'pause').some((pause) => overMs(pause) > replay.fromMs)) return [];
            const ended = deliveries.filter(({ state }) => state === 'succeeded' || state === 'failed');
            const ids = new Set(ended.map(({ eventId }) => eventId));
            const missing = storedEvents.filter(
              ({ event, PK }) => wanted.includes(String(event)) && !ids.has(String(PK).split('#').at(-1)),
            );
            return missing.map(({ event, PK }) => `${url} did not get ${event} ${PK}`);
          }),
        ),
      ),
  },
];
