import { hourMs } from '../../shared/kit/time-units.ts';
import type { Invariant, Judged } from './invariants.ts';
import { isText, sentMs } from './silent-texts.ts';
import type { Fields } from './table/value.ts';

const patienceMs = 72 * hourMs;
/** A round comes each hour; its jobs come back for as long as calls of theirs fail. */
const roundMs = 3 * hourMs;

const isMarked = (item: Fields | undefined): boolean => item?.['failureCode'] === 'report_timeout';

const rowOf = ({ world }: Judged, message: string): Fields | undefined =>
  world.table.all().find(({ entity, SK }) => entity === 'message' && SK === message);

export const silentTextInvariants: readonly Invariant[] = [
  {
    name: 'a text without a report is marked when 72 hours are over, and not before',
    violations: ({ world, days }) => {
      if (!days) return [];
      const isInTime = (afterMs: number): boolean => afterMs >= patienceMs && afterMs <= patienceMs + roundMs;
      const marked = world.changes.flatMap(({ before, after, atMs }) =>
        after && isText(after) && isMarked(after) && !isMarked(before) && !isInTime(atMs - sentMs(after))
          ? [`text ${after['SK']} was marked at ${atMs}, sent at ${after['sentAt']}`]
          : [],
      );
      const lastMs = world.timeline.nowMs() - patienceMs - roundMs;
      const unmarked = world.table
        .all()
        .filter((item) => isText(item) && item['status'] === 'sent' && item['failureCode'] === undefined)
        .filter((item) => sentMs(item) < lastMs)
        .map(({ SK, sentAt }) => `text ${SK} is not marked, sent at ${sentAt}`);
      return [...marked, ...unmarked];
    },
  },
  {
    name: 'a report that comes after days counts, whatever was assumed before',
    violations: (judged) =>
      (judged.days?.silentTexts.texts ?? []).flatMap(({ message, report, isHeard }) => {
        const row = rowOf(judged, message);
        const isRight = !isHeard || (row?.['status'] === report && !isMarked(row));
        return isRight
          ? []
          : [`text ${message} was reported ${report}, and is ${row?.['status']} ${row?.['failureCode']}`];
      }),
  },
];
