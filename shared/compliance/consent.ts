import { hasUnsubscribedSince, type KeptContact } from '../contacts/contact.ts';
import { textChannels } from '../messages/message.ts';

export const consentChannels = ['sms', 'whatsapp', 'email'] as const;
export type ConsentChannel = (typeof consentChannels)[number];

export const consentStatuses = ['active', 'withdrawn'] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

/** The platform itself only ends consents that were given for a phone that the contact no longer has. */
export const consentSpeakers = ['operator', 'recipient', 'platform'] as const;

/** One consent or withdrawal for a channel. Entries never change, as evidence of who agreed to what and when. */
export interface ConsentEntry {
  /** Unique; the same entry may be written again. */
  readonly id: string;
  readonly channel: ConsentChannel;
  readonly status: ConsentStatus;
  /** Its origin, for example `admin`, `keyword` or a form. */
  readonly source: string;
  /** The recipient's text, if there is one. */
  readonly text: string | null;
  readonly by: (typeof consentSpeakers)[number];
  /** When it was given, as `iso` of `kit/time.ts` writes it; not when it was received. */
  readonly at: string;
}

type Rank = Pick<ConsentEntry, 'status' | 'at'> & { readonly id?: string };

/** A sort key as text: the time, then withdrawals last, then a deterministic tie-break. */
const rank = ({ at, status, id = '' }: Rank): string => `${at} ${status === 'withdrawn' ? 1 : 0} ${id}`;

/**
 * Whether an entry replaces the current one. The later one wins; at the same time, a withdrawal. So a STOP overrides everything older, and
 * the order and repetition of arrivals do not matter.
 */
export const overrides = (entry: Rank, standing: Rank | undefined): boolean =>
  standing === undefined || rank(entry) > rank(standing);

/** The current entry of one channel; undefined when there is none. */
export const standing = <Entry extends Rank>(entries: Iterable<Entry>): Entry | undefined => {
  let latest: Entry | undefined;
  for (const entry of entries) if (overrides(entry, latest)) latest = entry;
  return latest;
};

/** The consent that decides about a send. One that the platform has ended counts as none: the recipient has not objected. */
export const inForce = (entry: ConsentEntry | undefined): ConsentStatus | undefined =>
  entry?.by === 'platform' ? undefined : entry?.status;

export type Leaver = Pick<KeptContact, 'status' | 'unsubscribedAt' | 'hasLeft' | 'updatedAt'>;

/** When a contact unsubscribed from all channels, while that holds: where its owner did, another status alone does not undo it. */
export const leftAt = ({ status, unsubscribedAt, hasLeft, updatedAt }: Partial<Leaver>): string | undefined =>
  status === 'unsubscribed' || hasLeft ? (unsubscribedAt ?? updatedAt ?? '') : undefined;

export const latestFirst = (entries: readonly ConsentEntry[]): ConsentEntry[] =>
  entries.toSorted((one, other) => (`${one.at} ${one.id}` < `${other.at} ${other.id}` ? 1 : -1));

/** The current entry of a channel. */
export const standingOn = (channel: ConsentChannel, entries: readonly ConsentEntry[]): ConsentEntry | undefined =>
  standing(entries.filter((entry) => entry.channel === channel));

/** The current entry of what an entry is about: its channel, or, between entries of the recipient, any. */
export const standingBefore = (entry: ConsentEntry, earlier: readonly ConsentEntry[]): ConsentEntry | undefined =>
  standing(
    earlier.filter(({ channel, by }) => channel === entry.channel || (by === 'recipient' && entry.by === 'recipient')),
  );

/** Whether nothing newer contradicts an entry, also because the contact has unsubscribed since. */
export const isLastWord = (
  entry: ConsentEntry,
  earlier: readonly ConsentEntry[],
  contact: Pick<KeptContact, 'unsubscribedAt'>,
): boolean => overrides(entry, standingBefore(entry, earlier)) && !hasUnsubscribedSince(contact, entry.at);

/** So many keywords that a recipient wrote first on a channel are kept, and as many of the latest. */
export const keptKeywords = 50;
/** More than one, so that a history that is too long gets shorter. */
const mostSurplus = 20;

/**
 * Entries that give way to a new one of a recipient who writes keyword after keyword: those in the middle, so that neither what a consent
 * began with nor what is in force is lost. What operators and the platform recorded stays.
 */
export const surplusBefore = ({ id, by, channel }: ConsentEntry, earlier: readonly ConsentEntry[]): ConsentEntry[] =>
  by === 'recipient'
    ? earlier
        .filter((entry) => entry.by === 'recipient' && entry.channel === channel)
        .toSorted((one, other) => (overrides(one, other) ? 1 : -1))
        .slice(keptKeywords, -keptKeywords)
        .filter((entry) => entry.id !== id)
        .slice(0, mostSurplus)
    : [];

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
