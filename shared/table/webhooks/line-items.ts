import { digestOf } from '../../kit/digest.ts';
import { newId } from '../../kit/id.ts';
import { firstWindow, hostOf, isDead, type Pace } from '../../webhooks/pace.ts';
import { emptyTally, sumOf, type Tally } from '../../webhooks/tally.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Write } from '../table.ts';

/** The item of a host that several subscriptions of an account may share. */
export const hostKeyOf = (account: string, url: string): ItemKey => itemKeys.hostPace(account, digestOf(hostOf(url)));

/**
 * The item that all who deliver to one subscription share: the lines under way, each in its place, how the target has been, and the totals.
 *
 * A line counts its deliveries when it gives its place back, in one write: it is counted as a whole, or its id is still in its place. A line
 * whose run died is expelled from its place, can never count, and is remembered, so that the jobs that come back can count theirs one by one.
 */
export const lineIdAt = (nowMs: number): string => newId(nowMs);

const placeName = /^line(\d+)$/;

export const attributeOf = (place: number): string => `line${place}`;

/** The lines in places. */
export const linesIn = (item: Item): ReadonlyMap<number, string> =>
  new Map(
    Object.entries(item).flatMap(([name, line]) => {
      const [, place] = placeName.exec(name) ?? [];
      return place === undefined ? [] : [[Number(place), String(line)] as const];
    }),
  );

/** A line of so few deliveries stays in its place when all went well. More would make the item larger than one write unit. */
const mostOfShort = 4;

/**
 * A short line that went well stays in its place: the write that would take it out is saved. Its deliveries say that this line recorded them, so
 * the next line counts them, in the write that takes its own place; until then, who reads the totals adds them.
 */
export interface ShortLine {
  readonly place: number;
  readonly line: string;
  readonly deliveries: readonly string[];
}

/** The deliveries of a line, each once, if it is a short one. */
export const shortOf = (deliveries: readonly string[]): readonly string[] | undefined => {
  const each = [...new Set(deliveries)];
  return each.length <= mostOfShort ? each : undefined;
};

export const shortAttributeOf = (place: number): string => `lone${place}`;

export const shortLinesIn = (item: Item): readonly ShortLine[] =>
  [...linesIn(item)].flatMap(([place, line]) => {
    const deliveries = item[shortAttributeOf(place)];
    // The release before has the only delivery of a line.
    return deliveries === undefined ? [] : [{ place, line, deliveries: [deliveries].flat().map(String) }];
  });

/** The item of lines as if these had left it. */
export const withTallies = (item: Item, tallies: ReadonlyMap<number, Tally>): Item => {
  const kept = Object.entries(item).filter(([name]) =>
    [...tallies.keys()].every((place) => name !== attributeOf(place) && name !== shortAttributeOf(place)),
  );
  const { totalSent, totalFailed, ...times } = [...tallies.values()].reduce(sumOf, emptyTally);
  const later = Object.entries(times).filter(([name, at]) => at !== undefined && !(String(item[name] ?? '') > at));
  return {
    ...Object.fromEntries([...kept, ...later]),
    totalSent: Number(item['totalSent'] ?? 0) + totalSent,
    totalFailed: Number(item['totalFailed'] ?? 0) + totalFailed,
  };
};

/** The lines that were expelled. */
export const expelledIn = (item: Item): ReadonlySet<string> =>
  (item['expelled'] as Set<string> | undefined) ?? new Set();

export const paceIn = (item: Item): Pace => ({
  lines: linesIn(item),
  window: Number(item['window'] ?? firstWindow),
  slowUntilMs: Number(item['slowUntilMs'] ?? 0),
  lastMs: item['lastMs'] === undefined ? undefined : Number(item['lastMs']),
});

/** `ended`: it has counted all its deliveries. */
export const standingOf = (line: string, item: Item, nowMs: number): 'under way' | 'dead' | 'expelled' | 'ended' => {
  if (expelledIn(item).has(line)) return 'expelled';
  const isThere = [...linesIn(item).values()].includes(line);
  if (!isThere) return 'ended';
  return isDead(line, nowMs) ? 'dead' : 'under way';
};

/** Since when all deliveries that ended have failed. */
export const failingSinceIn = (item: Item): string | undefined =>
  item['failingSince'] === undefined ? undefined : String(item['failingSince']);

interface Besides {
  readonly set?: Item;
  readonly removed?: readonly string[];
  /** Members of the set of expelled lines. */
  readonly expelled?: readonly string[];
  readonly forgotten?: readonly string[];
}

/** The parts of an update that adds a tally, sets other attributes and removes some. */
const addition = (
  { totalSent, totalFailed, lastSentAt, lastFailedAt }: Tally,
  { set: more = {}, removed = [], expelled = [], forgotten = [] }: Besides = {},
) => {
  const set = Object.entries({ lastSentAt, lastFailedAt, ...more }).filter(([, value]) => value !== undefined);
  const add = Object.entries({ totalSent, totalFailed }).filter(([, step]) => step !== 0);
  // One delivery that succeeds ends it.
  const isFailing = lastSentAt === undefined && lastFailedAt !== undefined;
  const gone = [...removed, ...(lastSentAt === undefined ? [] : ['failingSince'])];
  const [arrived, left] = [expelled, forgotten].map((lines) => lines.length > 0);
  const part = (verb: string, parts: readonly string[]) => (parts.length > 0 ? ` ${verb} ${parts.join(', ')}` : '');
  const names = [
    ...[...set, ...add].map(([name]) => name),
    ...gone,
    ...(isFailing ? ['failingSince'] : []),
    ...(arrived || left ? ['expelled'] : []),
  ];
  return {
    UpdateExpression: [
      part('SET', [
        ...set.map(([name]) => `#${name} = :${name}`),
        ...(isFailing ? ['#failingSince = if_not_exists(#failingSince, :lastFailedAt)'] : []),
      ]),
      part('ADD', [...add.map(([name]) => `#${name} :${name}`), ...(arrived ? ['#expelled :expelled'] : [])]),
      part('DELETE', left ? ['#expelled :forgotten'] : []),
      part(
        'REMOVE',
        gone.map((name) => `#${name}`),
      ),
    ]
      .join('')
      .trim(),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries([...set, ...add].map(([name, value]) => [`:${name}`, value])),
      ...(arrived && { ':expelled': new Set(expelled) }),
      ...(left && { ':forgotten': new Set(forgotten) }),
    },
  };
};

/** Who takes a place, and what becomes of the lines that were read there. */
export interface Taking {
  readonly key: ItemKey;
  readonly place: number;
  readonly id: string;
  /** The deliveries of a short line. */
  readonly short: readonly string[] | undefined;
  /** The item as it was read. */
  readonly read: Item;
  /** What lines that stayed in their places add to the totals, by place. */
  readonly uncounted: ReadonlyMap<number, Tally>;
  /** Expelled lines that are not asked about any more. */
  readonly forgotten: readonly string[];
}

/** Takes a place that is free, or whose line has stayed or died, and counts all that have stayed. Refused when any of these lines has changed. */
export const taking = ({ key, place, id, short, read, uncounted, forgotten }: Taking) => {
  const there = linesIn(read);
  const dead = uncounted.has(place) ? undefined : there.get(place);
  const others = [...uncounted.keys()].filter((one) => one !== place);
  const { lastSentAt: sentAt, ...tally } = [...uncounted.values()].reduce(sumOf, emptyTally);
  // What has happened since is what counts.
  const isLatest = [read['lastSentAt'], read['failingSince']].every((at) => !(String(at ?? '') > (sentAt ?? '')));
  const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = addition(
    { ...tally, lastSentAt: isLatest ? sentAt : undefined },
    {
      set: { [attributeOf(place)]: id, [shortAttributeOf(place)]: short },
      removed: [
        ...others.flatMap((one) => [attributeOf(one), shortAttributeOf(one)]),
        ...(short === undefined && read[shortAttributeOf(place)] !== undefined ? [shortAttributeOf(place)] : []),
      ],
      ...(dead === undefined ? { forgotten } : { expelled: [dead] }),
    },
  );
  const asRead = [...(there.has(place) ? [place] : []), ...others];
  return {
    Key: key,
    UpdateExpression,
    ConditionExpression: [
      ...(there.has(place) ? [] : [`attribute_not_exists(#${attributeOf(place)})`]),
      ...asRead.map((one) => `#${attributeOf(one)} = :was${one}`),
    ].join(' AND '),
    ExpressionAttributeNames,
    ExpressionAttributeValues: {
      ...ExpressionAttributeValues,
      ...Object.fromEntries(asRead.map((one) => [`:was${one}`, there.get(one)])),
    },
  };
};

/** Gives a place back. Nothing happens when the line is there no more. */
export const givingBack = (key: ItemKey, place: number, id: string) => ({
  Key: key,
  UpdateExpression: 'REMOVE #place, #short',
  ConditionExpression: '#place = :id',
  ExpressionAttributeNames: { '#place': attributeOf(place), '#short': shortAttributeOf(place) },
  ExpressionAttributeValues: { ':id': id },
});

/** Gives a line's place back, with what it learnt and counted. Refused when it was expelled. */
export const leaving = (key: ItemKey, place: number, line: string, tally: Tally, learnt: Item) => {
  const own = attributeOf(place);
  const { ExpressionAttributeValues, ...parts } = addition(tally, {
    set: learnt,
    removed: [own, shortAttributeOf(place)],
  });
  return {
    Key: key,
    ...parts,
    ConditionExpression: `#${own} = :line`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':line': line },
  };
};

/** Counts one delivery in a transaction; `of`: the expelled line that did not. */
export const countWrite = (webhook: string, tally: Tally, of?: string): Write => {
  const { ExpressionAttributeValues, ...parts } = addition(tally);
  return {
    Update: {
      Key: itemKeys.deliveryLines(webhook),
      ...parts,
      ...(of !== undefined && { ConditionExpression: 'contains(expelled, :of)' }),
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...(of !== undefined && { ':of': of }) },
    },
  };
};
