import { channels } from '../../shared/messages/message.ts';
import type { Judged } from './invariants.ts';
import { couldBe, type Fits, livesIn, mustBe } from './lives.ts';
import { isOf, isOfTime } from './reader-row.ts';
import { messageKind } from './reader-rules.ts';
import { type Read, shownIn } from './readers.ts';

/** The buckets of the statuses that have one. */
const buckets: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['sent', 'delivered', 'opened', 'clicked', 'bounced'].map((status) => [status, [status]])),
  failed: ['failed', 'rejected'],
};

const wrongIn = (read: Read, judged: Judged): readonly string[] => {
  const { range, channels: counted } = read.answer.body.data;
  const lives = [...livesIn(judged.world, messageKind)];
  /** Hours that have ended are as they were counted since. */
  const countOf = (isMeant: Fits) => {
    const least = lives.filter(([, spans]) => mustBe(spans, read, isMeant)).length;
    return { least, most: lives.filter(([, spans]) => couldBe(spans, read, isMeant)).length };
  };
  return channels.flatMap((channel) => {
    const inRange: Fits = (item) =>
      isOf(read, item) && item['channel'] === channel && isOfTime(item['SK'], range.startDate, range.endDate);
    const all: readonly (readonly [string, readonly string[] | undefined])[] = [
      ['total', undefined],
      ...Object.entries(buckets),
    ];
    return all.flatMap(([bucket, some]) => {
      const { least, most } = countOf(
        (item, atMs) => inRange(item, atMs) && (some?.includes(String(item['status'])) ?? true),
      );
      const number = counted[channel][bucket];
      return number >= least && number <= most ? [] : [`${channel} ${bucket}: ${number}, of ${least} to ${most}`];
    });
  });
};

/** Analytics that count a message that was not there, or not one that was. */
export const miscountsIn = (judged: Judged): readonly string[] =>
  shownIn(judged.readers, 'analytics').flatMap((read) =>
    wrongIn(read, judged).map((what) => `${JSON.stringify(read.query)} at ${read.fromMs}: ${what}`),
  );
