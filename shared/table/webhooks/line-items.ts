import { newId } from '../../kit/id.ts';
import { firstWindow, isDead, type Pace } from '../../webhooks/pace.ts';
import type { Tally } from '../../webhooks/tally.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Write } from '../table.ts';

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

/** The parts of an update that adds a tally, sets other attributes and removes some. */
const addition = (
  { totalSent, totalFailed, lastSentAt, lastFailedAt }: Tally,
  more: Item = {},
  removed: readonly string[] = [],
) => {
  const set = Object.entries({ lastSentAt, lastFailedAt, ...more }).filter(([, value]) => value !== undefined);
  const add = Object.entries({ totalSent, totalFailed }).filter(([, step]) => step !== 0);
  // One delivery that succeeds ends it.
  const isFailing = lastSentAt === undefined && lastFailedAt !== undefined;
  const gone = [...removed, ...(lastSentAt === undefined ? [] : ['failingSince'])];
  const part = (verb: string, parts: readonly string[]) => (parts.length > 0 ? ` ${verb} ${parts.join(', ')}` : '');
  return {
    UpdateExpression: [
      part('SET', [
        ...set.map(([name]) => `#${name} = :${name}`),
        ...(isFailing ? ['#failingSince = if_not_exists(#failingSince, :lastFailedAt)'] : []),
      ]),
      part(
        'ADD',
        add.map(([name]) => `#${name} :${name}`),
      ),
      part(
        'REMOVE',
        gone.map((name) => `#${name}`),
      ),
    ]
      .join('')
      .trim(),
    ExpressionAttributeNames: Object.fromEntries(
      [...[...set, ...add].map(([name]) => name), ...gone, ...(isFailing ? ['failingSince'] : [])].map((name) => [
        `#${name}`,
        name,
      ]),
    ),
    ExpressionAttributeValues: Object.fromEntries([...set, ...add].map(([name, value]) => [`:${name}`, value])),
  };
};

/** Gives a line's place back, with what it learnt and counted. Refused when it was expelled. */
export const leaving = (key: ItemKey, place: number, line: string, tally: Tally, learnt: Item) => {
  const own = attributeOf(place);
  const { ExpressionAttributeValues, ...parts } = addition(tally, learnt, [own]);
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
