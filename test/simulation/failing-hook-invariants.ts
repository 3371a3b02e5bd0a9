import { dayMs, minuteMs } from '../../shared/kit/time-units.ts';
import type { FailingHook } from './failing-hook.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Fields } from './table/value.ts';

const failsForMs = 5 * dayMs;
/** From the end of a delivery, or from a pause, until what follows from it has happened, where nothing fails for long. */
const followsMs = 30 * minuteMs;
/** An event may be recorded later than it happened; what has just happened may be too late for a replay. */
const recordedMs = 5 * minuteMs;

interface Step {
  readonly atMs: number;
  readonly item: Fields;
  readonly from: string;
  readonly to: string;
}

/** What the items of one kind that are the subscription's, or its deliveries, have become. */
const stepsOf = ({ world }: Judged, entity: string, isOwn: (item: Fields) => boolean): readonly Step[] =>
  world.changes.flatMap(({ before, after, atMs }) =>
    after?.['entity'] === entity && isOwn(after) && before?.['state'] !== after['state']
      ? [{ atMs, item: after, from: String(before?.['state']), to: String(after['state']) }]
      : [],
  );

interface Story {
  readonly hook: FailingHook;
  readonly judged: Judged;
  readonly pauses: readonly number[];
  readonly resumedMs: number;
  /** When deliveries failed in all attempts, by the beginning of the last, since the last success before this time. */
  readonly failuresBefore: (ms: number) => readonly { readonly lastAttemptMs: number; readonly atMs: number }[];
}

const storyOf = (hook: FailingHook, judged: Judged): Story => {
  const own = stepsOf(judged, 'webhook', ({ SK }) => SK === hook.id);
  const deliveries = stepsOf(judged, 'delivery', ({ PK }) => String(PK).includes(hook.id));
  return {
    hook,
    judged,
    pauses: own.filter(({ from, to }) => from === 'active' && to === 'paused').map(({ atMs }) => atMs),
    resumedMs: own.find(({ from, to }) => from === 'paused' && to === 'active')?.atMs ?? Number.POSITIVE_INFINITY,
    failuresBefore: (ms) => {
      const ended = deliveries.filter(({ atMs }) => atMs <= ms);
      const since = ended.findLastIndex(({ to }) => to === 'succeeded');
      return ended.slice(since + 1).flatMap(({ atMs, to, item }) => {
        if (to !== 'failed') return [];
        const [attempt] = (item['attempts'] as readonly Fields[]).slice(-1);
        return [{ atMs, lastAttemptMs: Date.parse(String(attempt?.['at'])) }];
      });
    },
  };
};

const ofHook =
  (what: (story: Story) => string | false) =>
  (judged: Judged): readonly string[] => {
    const hook = judged.days?.failingHook;
    const broken = hook !== undefined && what(storyOf(hook, judged));
    return broken === false ? [] : [`subscription ${hook?.id}: ${broken}`];
  };

/** When the target was last well before its developer found it failing. */
const lastWellMs = ({ hook: { posts, recoveries } }: Story): number =>
  posts.findLast(({ atMs, statusCode }) => statusCode === 200 && atMs < (recoveries[0]?.fromMs ?? 0))?.atMs ?? 0;

export const failingHookInvariants: readonly Invariant[] = [
  {
    name: 'a subscription is paused when all its deliveries have failed for five days, and not before',
    violations: ofHook(({ hook: { recoveries }, pauses, failuresBefore }) => {
      const early = pauses.filter((ms) => !(ms - (failuresBefore(ms)[0]?.lastAttemptMs ?? ms) >= failsForMs));
      if (early.length > 0) return `it was paused at ${early.join()}`;
      const failures = failuresBefore(recoveries[0]?.fromMs ?? 0);
      const [firstMs = 0, lastMs = 0] = [failures[0]?.atMs, failures.at(-1)?.atMs];
      return lastMs - firstMs > failsForMs + followsMs && pauses.length === 0 && `it has failed since ${firstMs}`;
    }),
  },
  {
    name: 'admins hear of the pause of a failing subscription, when it happens',
    violations: ofHook(({ hook: { notices }, pauses, resumedMs }) => {
      const isOf = (pauseMs: number) => (notice: { readonly atMs: number }) =>
        notice.atMs >= pauseMs && notice.atMs < pauseMs + followsMs;
      const unheard = pauses.filter((ms) => resumedMs > ms + followsMs && !notices.some(isOf(ms)));
      if (unheard.length > 0) return `nobody heard of its pause at ${unheard.join()}`;
      const others = notices.filter((notice) => !pauses.some((ms) => isOf(ms)(notice)));
      return others.length > 0 && `mails at ${others.map(({ atMs }) => atMs).join()}, pauses at ${pauses.join()}`;
    }),
  },
  {
    name: 'what a failing subscription has missed is delivered by a replay of all since it says so',
    violations: ofHook((story) => {
      const { hook, judged } = story;
      const [recovery] = hook.recoveries;
      if (!recovery || recovery.status >= 300) return `its replay was answered ${recovery?.status}`;
      if (recovery.wasPaused && !recovery.isTold) return 'it did not say since when it has missed events';
      const wellMs = lastWellMs(story);
      const reached = hook.posts
        .filter(({ statusCode }) => statusCode === 200)
        .map(({ headers }) => headers['webhook-id']);
      const missed = judged.world.changes.flatMap(({ before, after }) => {
        const isNew = !before && after?.['entity'] === 'event' && after['account'] === hook.account.ref.id;
        const occurredMs = Number(after?.['occurredMs']);
        const isMeant = occurredMs > wellMs && occurredMs < recovery.fromMs - recordedMs;
        const id = String(after?.['PK']);
        return isNew && isMeant && !reached.some((one) => id.endsWith(String(one)))
          ? [`${after['event']} at ${occurredMs}`]
          : [];
      });
      return missed.length > 0 && `it never got ${missed.join()}, replayed since ${recovery.sinceMs}`;
    }),
  },
];
