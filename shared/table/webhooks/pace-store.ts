import { timeOfId } from '../../kit/id.ts';
import {
  judge,
  judgeAtHost,
  type Lane,
  mayGoAlone,
  mayStay,
  shareOfHost,
  slowUntil,
  type Verdict,
  windowAfter,
} from '../../webhooks/pace.ts';
import type { Tally } from '../../webhooks/tally.ts';
import { appoint } from '../appointments.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import {
  attributeOf,
  expelledIn,
  failingSinceIn,
  givingBack,
  hostKeyOf,
  leaving,
  lineIdAt,
  linesIn,
  paceIn,
  shortAttributeOf,
  shortOf,
  standingOf,
  taking,
  withTallies,
} from './line-items.ts';
import { uncountedIn } from './short-lines.ts';

/** Whose deliveries go where. */
export interface LineTarget {
  readonly account: string;
  readonly webhook: string;
  readonly url: string;
  /** What the line is to deliver. */
  readonly deliveries: readonly string[];
}

/** What is known of where a line is to go. */
export interface Read {
  readonly lines?: Item | undefined;
  readonly host?: Item | undefined;
}

/** A line in its place at its subscription and, where several subscriptions name its host, in one at that. */
export interface Line {
  readonly id: string;
  readonly callsAtOnce: number;
  readonly webhook: string;
  /** Its deliveries, if it is a short one. */
  readonly short: readonly string[] | undefined;
  /** The item of the lines, with this one. */
  readonly item: Item;
  readonly places: readonly { readonly key: ItemKey; readonly place: number }[];
}

/** What a line has learnt of its target. */
export interface Learnt {
  /** How long its slowest answer took. */
  readonly longestMs: number;
  readonly answers: number;
  readonly tally: Tally;
}

/** A line has ended. `failingSince`: since when all deliveries of its subscription have failed. */
export interface Left {
  readonly failingSince: string | undefined;
}

/** `ended`: it has counted all its deliveries. `expelled`: it never will. */
export type LineEnd = 'under way' | 'ended' | 'expelled';

type Refusal = Exclude<Verdict, { kind: 'free' }>;

/** A line, or how it stands with the first target that has no place. */
export type Entry =
  | { readonly kind: 'entered'; readonly line: Line }
  | { readonly kind: 'refused'; readonly verdict: Refusal; readonly key: ItemKey };

const hostKeptSeconds = 24 * 60 * 60;

/** Longer than a job can come back: its dead-letter queue has kept it for fourteen days then, and its queue as long before. */
const expelledForMs = 30 * 24 * 60 * 60 * 1_000;

const subscriptionsIn = (host: Item): ReadonlySet<string> =>
  (host['subscriptions'] as Set<string> | undefined) ?? new Set();

/** Which lines are under way to each subscription and each shared host, known to all who deliver. */
export const paceStore = (table: Table) => {
  interface Asked {
    readonly key: ItemKey;
    readonly judged: (item: Item) => Verdict;
    readonly short?: readonly string[] | undefined;
    /** What lines that stayed in their places add to the totals. */
    uncounted?(item: Item): Promise<ReadonlyMap<number, Tally>>;
  }

  /** A place in an item as it was read; when another line has come between, as it is. The place of a dead line is taken from it: that one is expelled. */
  const enterOne = async (
    asked: Asked,
    id: string,
    read: Item,
  ): Promise<{ readonly place: number; readonly callsAtOnce: number; readonly item: Item } | Refusal> => {
    const uncounted = (await asked.uncounted?.(read)) ?? new Map();
    const verdict = asked.judged(withTallies(read, uncounted));
    if (verdict.kind !== 'free') return verdict;
    const { place, callsAtOnce } = verdict;
    const forgotten = [...expelledIn(read)].filter((line) => timeOfId(line) < timeOfId(id) - expelledForMs);
    const { key, short } = asked;
    const { done, item = {} } = await table.update(taking({ key, place, id, short, read, uncounted, forgotten }));
    return done || linesIn(item).get(place) === id ? { place, callsAtOnce, item } : enterOne(asked, id, item);
  };

  /** A host is paced while it is known to serve several subscriptions; each writes itself down there once a day. */
  const sharedHost = async (key: ItemKey, webhook: string, nowMs: number, read?: Item): Promise<Item | undefined> => {
    const known = read ?? (await table.get(key)) ?? {};
    if (subscriptionsIn(known).has(webhook)) return subscriptionsIn(known).size > 1 ? known : undefined;
    const { item = {} } = await table.update({
      Key: key,
      UpdateExpression: 'SET expiresAt = :expires ADD subscriptions :webhook',
      ExpressionAttributeValues: {
        ':expires': Math.ceil(nowMs / 1_000) + hostKeptSeconds,
        ':webhook': new Set([webhook]),
      },
    });
    return subscriptionsIn(item).size > 1 ? item : undefined;
  };

  const giveBack = async ({ key, place }: Line['places'][number], id: string): Promise<void> => {
    await table.update(givingBack(key, place, id));
  };

  const expel = async (webhook: string, id: string, item: Item): Promise<void> => {
    const [place] = [...linesIn(item)].find(([, line]) => line === id) ?? [];
    if (place === undefined) return;
    await table.update({
      Key: itemKeys.deliveryLines(webhook),
      UpdateExpression: 'REMOVE #place, #short ADD expelled :expelled',
      ConditionExpression: '#place = :id',
      ExpressionAttributeNames: { '#place': attributeOf(place), '#short': shortAttributeOf(place) },
      ExpressionAttributeValues: { ':id': id, ':expelled': new Set([id]) },
    });
  };

  return {
    /**
     * Takes a place at the subscription, and at its host where many subscriptions share that; or none. `read`: the items of the subscription's lines and of its
     * host, as far as they were read. Nothing is counted without a place, so every line takes one.
     */
    enter: async (
      { account, webhook, url, deliveries }: LineTarget,
      lane: Lane,
      nowMs: number,
      read: Read = {},
    ): Promise<Entry> => {
      const id = lineIdAt(nowMs);
      const short = shortOf(deliveries);
      const key = itemKeys.deliveryLines(webhook);
      const hostKey = hostKeyOf(account, url);
      const [known, host] = await Promise.all([
        read.lines ?? table.get(key),
        sharedHost(hostKey, webhook, nowMs, read.host),
      ]);
      const share = host && shareOfHost(subscriptionsIn(host).size, lane);
      const judged = (item: Item) => judge(paceIn(item), lane, nowMs, { share });
      const uncounted = (item: Item) => uncountedIn(table, webhook, item, nowMs);
      const own = await enterOne({ key, judged, short, uncounted }, id, known ?? {});
      if (!('place' in own)) return { kind: 'refused', verdict: own, key };
      const line: Line = { ...own, id, webhook, short, places: [{ key, place: own.place }] };
      if (!host || share) return { kind: 'entered', line };
      const lines = { own: { lines: linesIn(own.item) }, host: { lines: linesIn(host ?? {}) } };
      if (mayGoAlone(deliveries.length, subscriptionsIn(host).size, lines, nowMs)) return { kind: 'entered', line };

      const judgedThere = (item: Item) => judgeAtHost({ lines: linesIn(item) }, lane, nowMs);
      const there = await enterOne({ key: hostKey, judged: judgedThere }, id, host);
      if (!('place' in there)) {
        await Promise.all(line.places.map((one) => giveBack(one, id)));
        return { kind: 'refused', verdict: there, key: hostKey };
      }
      const callsAtOnce = Math.min(line.callsAtOnce, there.callsAtOnce);
      return {
        kind: 'entered',
        line: { ...line, callsAtOnce, places: [...line.places, { key: hostKey, place: there.place }] },
      };
    },

    /** Records, before an answer has come, that a target is slow. */
    warn: async ({ id, places: [own] }: Line, tookMs: number, nowMs: number): Promise<void> => {
      if (!own) return;
      await table.update({
        Key: own.key,
        UpdateExpression: 'SET slowUntilMs = :slow, lastMs = :took',
        ConditionExpression: '#place = :id',
        ExpressionAttributeNames: { '#place': attributeOf(own.place) },
        ExpressionAttributeValues: { ':slow': slowUntil(tookMs, nowMs), ':took': tookMs, ':id': id },
      });
    },

    /**
     * Ends a line: gives its places back, and counts its deliveries; or leaves that to the next line, where all is well. Undefined: it was
     * expelled meanwhile, and has counted nothing.
     */
    leave: async (line: Line, { longestMs, answers, tally }: Learnt, nowMs: number): Promise<Left | undefined> => {
      const { id, item, short, places } = line;
      const [own, ...hosts] = places;
      if (!own) return undefined;
      const isWell = tally.totalSent === short?.length && tally.totalFailed === 0 && failingSinceIn(item) === undefined;
      const mayWait = isWell && hosts.length === 0 && mayStay(paceIn(item), id, longestMs, nowMs);
      if (mayWait) return { failingSince: undefined };
      const learnt = answers > 0 && {
        window: windowAfter(paceIn(item).window, longestMs, answers),
        slowUntilMs: slowUntil(longestMs, nowMs),
        lastMs: longestMs,
      };
      const [left] = await Promise.all([
        table.update(leaving(own.key, own.place, id, tally, learnt || {})),
        ...hosts.map((host) => giveBack(host, id)),
      ]);
      // A repetition whose first answer was lost finds the place without the line; the line has counted then.
      const isCounted = left.done || !expelledIn(left.item ?? {}).has(id);
      return isCounted ? { failingSince: failingSinceIn(left.item ?? {}) } : undefined;
    },

    /**
     * Ends a line that cannot tell which of its deliveries it recorded: it counts nothing, and is expelled, so that they are counted one by one.
     */
    giveUp: async ({ id, item, webhook, places: [, ...hosts] }: Line): Promise<undefined> => {
      await Promise.all([expel(webhook, id, item), ...hosts.map((host) => giveBack(host, id))]);
      return undefined;
    },

    /** What became of an earlier line. One whose run is dead is expelled now, and can never count its deliveries. */
    endOf: async ({ webhook, item }: Line, earlier: string, nowMs: number): Promise<LineEnd> => {
      const standing = standingOf(earlier, item, nowMs);
      if (standing !== 'dead') return standing;
      await expel(webhook, earlier, item);
      return 'expelled';
    },

    /** An instant to come back at; those who ask get one after the other, this far apart. */
    appoint: (key: ItemKey, everyMs: number, nowMs: number): Promise<number> => appoint(table, key, everyMs, nowMs),

    forget: (webhookId: string): Promise<void> => table.remove(itemKeys.deliveryLines(webhookId)),
  };
};

export type PaceStore = ReturnType<typeof paceStore>;
