import { type Channel, type Status, statuses } from '../../shared/messages/message.ts';
import { statusesBefore } from '../../shared/messages/moves.ts';
import type { Data } from './client.ts';
import type { Judged } from './invariants.ts';
import { couldBe, livesIn, mustBe } from './lives.ts';
import type { PlaceName } from './reader-places.ts';
import { thingRules } from './reader-rules.ts';
import { type Read, shownIn } from './readers.ts';

/** For each thing that was read by itself, what it breaks. */
export const unlikeIn = (judged: Judged): readonly string[] =>
  (judged.readers?.reads ?? []).flatMap((read) => {
    const rule = thingRules[read.place];
    const { answer, path, place, account } = read;
    if (!rule) return [];
    const spans = livesIn(judged.world, rule.kind).get(path['id'] ?? '') ?? [];
    const [isThere, isGone] = [answer.status === 200, answer.status === 404];
    const isOwn = (item: Data): boolean => item.account === account.ref.id;
    const isShown =
      isThere && couldBe(spans, read, (item, atMs) => isOwn(item) && rule.shows(answer.body.data, item, atMs, judged));
    const isMissing = isGone && mustBe(spans, read, isOwn);
    return (isThere && !isShown) || isMissing
      ? [`${place} ${path['id']} was ${answer.status} at ${read.fromMs}: ${JSON.stringify(answer.body)}`]
      : [];
  });

/** What was read of the status of something. */
interface Look {
  readonly id: string;
  readonly status: string;
  /** Of a message. */
  readonly channel: Channel;
  readonly read: Read;
}

const looksAt = (judged: Judged, one: PlaceName, list: PlaceName): readonly Look[] =>
  shownIn(judged.readers, one, list).flatMap((read) => {
    const { data } = read.answer.body;
    const rows: readonly Data[] = Array.isArray(data) ? data : [data];
    return rows.map(({ id, status, channel }) => ({ id, status, channel, read }));
  });

const isStatus = (text: string): text is Status => statuses.some((status) => status === text);

/** Statuses that a message may have had before this one. An email that its provider did not take is queued again. */
export const statusesUntil = (channel: Channel, status: Status): ReadonlySet<Status> =>
  new Set([
    ...statusesBefore(channel, status),
    ...(channel === 'email' && status === 'queued' ? (['sending'] as const) : []),
  ]);

/** Whether a status may be read after another one. */
const mayFollow: Partial<Record<PlaceName, (before: string, after: string, channel: Channel) => boolean>> = {
  message: (before, after, channel) => isStatus(before) && isStatus(after) && statusesUntil(channel, after).has(before),
  refund: (before) => before === 'PENDING',
  payment: (before, after) => before !== 'SUCCEEDED' && after !== 'PENDING',
};

/** The list that shows such things as they are in the table, not in an index. */
const lists = [
  ['message', 'messages'],
  ['payment', 'payments'],
  ['refund', 'refunds'],
] as const;

/** Statuses that were read after later ones. */
export const stepsBackIn = (judged: Judged): readonly string[] =>
  lists.flatMap(([one, list]) => {
    const isSure = ({ read: { place, query } }: Look): boolean => place !== 'messages' || query['status'] === undefined;
    const byId = Map.groupBy(looksAt(judged, one, list).filter(isSure), ({ id }) => id);
    return [...byId].flatMap(([id, looks]) =>
      looks.flatMap((after) =>
        looks
          .filter((before) => before.read.toMs < after.read.fromMs && before.status !== after.status)
          .filter((before) => !mayFollow[one]?.(before.status, after.status, after.channel))
          .map((before) => `${one} ${id} was ${before.status}, then ${after.status}`),
      ),
    );
  });
