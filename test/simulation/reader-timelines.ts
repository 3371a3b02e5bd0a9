import { type Channel, type Status, statuses } from '../../shared/messages/message.ts';
import type { TimelineEntry } from '../../shared/messages/timeline.ts';
import { wasDone } from './developer-invariants.ts';
import type { Judged } from './invariants.ts';
import { statusesUntil } from './reader-things.ts';
import { type Read, shownIn } from './readers.ts';

const entriesOf = ({ answer }: Read): readonly TimelineEntry[] => answer.body.data;

const isDelivery = ({ type }: TimelineEntry): boolean => type === 'webhook_delivery';
const nameOf = ({ at, type, detail }: TimelineEntry): string => detail.deliveryId ?? `${type} at ${at}`;

/** What a timeline no longer shows, or shows less of, than one that was read before. */
const lostBetween = (before: Read, after: Read, judged: Judged): readonly string[] => {
  const shown = new Map(entriesOf(after).map((entry) => [nameOf(entry), entry]));
  return entriesOf(before).flatMap((entry) => {
    const [now, { webhookId = '', attempts = 0 }] = [shown.get(nameOf(entry)), entry.detail];
    if (now) return (now.detail.attempts ?? 0) < attempts ? [`${nameOf(entry)} has fewer attempts`] : [];
    return isDelivery(entry) && wasDone(judged, webhookId, 'remove') ? [] : [`${nameOf(entry)} is gone`];
  });
};

const disorderIn = (read: Read): readonly string[] =>
  entriesOf(read).flatMap(({ at }, n, all) => (at < (all[n - 1]?.at ?? '') ? [`${at} comes late`] : []));

const statusesIn = (read: Read): readonly Status[] =>
  entriesOf(read).flatMap(({ type }) => statuses.filter((status) => status === type));

/** Of an email that is sent at once, this is no step. */
const isHidden = (read: Read): boolean =>
  read.answer.body.data.status === 'sending' && read.answer.body.data.channel === 'email';

/** Whether a message was not where its timeline had been, or the timeline not where the message had been. */
const contradictions = (message: Read, timeline: Read): readonly string[] => {
  const { channel, status }: { readonly channel: Channel; readonly status: Status } = message.answer.body.data;
  const shown = statusesIn(timeline);
  if (message.toMs < timeline.fromMs && !isHidden(message) && !shown.includes(status))
    return [`${status} is not shown`];
  const before: ReadonlySet<string> = new Set([status, ...statusesUntil(channel, status)]);
  const later = shown.filter((one) => !before.has(one));
  return timeline.toMs < message.fromMs && later.length > 0 ? [`${later.join()} was shown before ${status}`] : [];
};

/** For each message that was sent through the API, what its timelines break. */
export const brokenTimelinesIn = (judged: Judged): readonly string[] => {
  const own = new Set(judged.messaging.asked.flatMap(({ answers }) => answers.map(({ body }) => body?.data?.id)));
  const timelines = shownIn(judged.readers, 'timeline').filter(({ path }) => own.has(path['id']));
  const messages = shownIn(judged.readers, 'message');
  return timelines.flatMap((read) => {
    const isSame = ({ path }: Read): boolean => path['id'] === read.path['id'];
    const earlier = timelines.filter((one) => isSame(one) && one.toMs < read.fromMs);
    return [
      ...disorderIn(read),
      ...earlier.flatMap((before) => lostBetween(before, read, judged)),
      ...messages.filter(isSame).flatMap((message) => contradictions(message, read)),
    ].map((what) => `${read.path['id']} at ${read.fromMs}: ${what}`);
  });
};
