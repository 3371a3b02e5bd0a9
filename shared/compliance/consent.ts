import { textChannels } from '../messages/message.ts';

export const consentChannels = ['sms', 'whatsapp', 'email'] as const;
export type ConsentChannel = (typeof consentChannels)[number];

export const consentStatuses = ['active', 'withdrawn'] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

/** The platform itself only ends consents that were given for a phone that the contact no longer has. */
export const consentSpeakers = ['operator', 'recipient', 'platform'] as const;

/** What was once said about a channel. Entries are only ever added, so that it can be shown later who agreed to what, and when. */
export interface ConsentEntry {
  /** Unique; the same entry may be written again. */
  readonly id: string;
  readonly channel: ConsentChannel;
  readonly status: ConsentStatus;
  /** Where it comes from, such as `admin`, `keyword` or the form that was filled in. */
  readonly source: string;
  /** The words it was given in, where there are any. */
  readonly text: string | null;
  readonly by: (typeof consentSpeakers)[number];
  /** When it was said, as `iso` of `kit/time.ts` writes it; not when it was heard of. */
  readonly at: string;
}

type Rank = Pick<ConsentEntry, 'status' | 'at'> & { readonly id?: string };

/** Comparable as text: the time, then that a withdrawal wins, then anything that always decides the same way. */
const rank = ({ at, status, id = '' }: Rank): string => `${at} ${status === 'withdrawn' ? 1 : 0} ${id}`;

/**
 * Whether an entry stands in place of the one that stands now. The one said last does; of two said at the same instant a withdrawal. So a
 * STOP beats everything older, and it does not matter in which order entries arrive or how often.
 */
export const overrides = (entry: Rank, standing: Rank | undefined): boolean =>
  standing === undefined || rank(entry) > rank(standing);

/** The entry that stands among these of one channel; undefined when nothing was ever said. */
export const standing = <Entry extends Rank>(entries: Iterable<Entry>): Entry | undefined => {
  let latest: Entry | undefined;
  for (const entry of entries) if (overrides(entry, latest)) latest = entry;
  return latest;
};

/** The consent that decides about a send. One that the platform has ended counts as none: the recipient has not objected. */
export const inForce = (entry: ConsentEntry | undefined): ConsentStatus | undefined =>
  entry?.by === 'platform' ? undefined : entry?.status;

/** The entry that stands on a channel. */
export const standingOn = (channel: ConsentChannel, entries: readonly ConsentEntry[]): ConsentEntry | undefined =>
  standing(entries.filter((entry) => entry.channel === channel));

/** Consents to texts were given for one phone: these entries end them when their contact gets another phone, or none. */
export const endedByPhoneChange = (entries: readonly ConsentEntry[], changedAt: string): ConsentEntry[] =>
  textChannels.flatMap((channel) => {
    const given = standingOn(channel, entries);
    if (given?.status !== 'active') return [];
    return [
      {
        id: `phone_changed/${changedAt}`,
        channel,
        status: 'withdrawn',
        source: 'phone_changed',
        text: null,
        by: 'platform',
        at: changedAt > given.at ? changedAt : given.at,
      },
    ];
  });
