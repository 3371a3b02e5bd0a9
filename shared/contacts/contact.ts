import * as z from 'zod';
import { Fault } from '../kit/fault.ts';
import { derivedId, exampleId, nthId, timeOfId } from '../kit/id.ts';
import { emptyObject, JsonText, jsonOf } from '../kit/json-text.ts';
import { iso } from '../kit/time.ts';

export const contactStatuses = ['active', 'unsubscribed', 'bounced', 'complained', 'quarantined'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

const instant = z.string().meta({ format: 'date-time' });

/** Messaging specification, "Contact". */
export const contact = z
  .object({
    id: z.string().describe('A UUID; clients must not rely on its format.'),
    email: z.string().nullable().describe('As it was sent; unique in the account, ignoring letter case.'),
    phone: z.string().nullable().describe('E.164 with its `+`; unique in the account.'),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    tags: z.array(z.string()),
    source: z.string().nullable().describe('`api` on a contact that a send created.'),
    status: z.enum(contactStatuses),
    customFields: z
      .instanceof(JsonText)
      .meta({ type: 'object', description: 'As it was sent; an empty object if none was sent.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'Contact',
    description: 'A recipient of the account’s messages.',
    examples: [
      {
        id: exampleId,
        email: 'ada@example.com',
        phone: '+8801700000000',
        firstName: 'Ada',
        lastName: 'Lovelace',
        tags: ['vip'],
        source: 'webinar',
        status: 'active',
        customFields: { plan: 'pro' },
        createdAt: '2026-11-20T12:00:00.000Z',
        updatedAt: '2026-11-20T12:00:00.000Z',
      },
    ],
  });

export type Contact = z.output<typeof contact>;

/** The personal data of a contact: all fields that a caller writes, which are encrypted at rest. */
export type ContactDetails = Pick<
  Contact,
  'email' | 'phone' | 'firstName' | 'lastName' | 'tags' | 'source' | 'customFields'
>;

/** The details that a caller sent; undefined fields were omitted. */
export type SentDetails = { readonly [Field in keyof ContactDetails]?: ContactDetails[Field] | undefined };

/** A contact with fields that are not on the wire: its engagement score (0 to 100) and its last unsubscription. */
export interface KeptContact extends Contact {
  readonly score: number;
  /** Its place in lists: what the score was when its tens last changed. */
  readonly listedScore: number;
  /** Its score stands in a row of its own, as in the release before. */
  readonly hasScoreRow: boolean;
  /** A send created it, and it stands in one row. */
  readonly hasOneRow: boolean;
  /** When it last unsubscribed; null if it never did, or did before this was stored. */
  readonly unsubscribedAt: string | null;
  /** Its owner unsubscribed it, so that no other status makes up for a new consent. */
  readonly hasLeft: boolean;
}

export const highestScore = 100;
const startScore = 50;

const noDetails: ContactDetails = {
  email: null,
  phone: null,
  firstName: null,
  lastName: null,
  tags: [],
  source: null,
  customFields: emptyObject,
};

const overlay = (details: ContactDetails, sent: SentDetails): ContactDetails => {
  const either = <T>(own: T | undefined, other: T): T => (own === undefined ? other : own);
  return {
    email: either(sent.email, details.email),
    phone: either(sent.phone, details.phone),
    firstName: either(sent.firstName, details.firstName),
    lastName: either(sent.lastName, details.lastName),
    tags: either(sent.tags, details.tags),
    source: either(sent.source, details.source),
    customFields: either(sent.customFields, details.customFields),
  };
};

/** A new contact from a caller's fields. */
export const detailsOf = (sent: SentDetails): ContactDetails => overlay(noDetails, sent);

/** The source of a contact that a send created. */
export const sourceOfSends = 'api';

/** The contact that a send to an unknown recipient creates. */
export const recipientDetails = (recipient: { readonly email?: string; readonly phone?: string }): ContactDetails =>
  detailsOf({ ...recipient, source: sourceOfSends });

export interface NewContact {
  readonly id: string;
  readonly details: ContactDetails;
}

export const startStatus: ContactStatus = 'active';

/** Whether it is as it was created. */
export const isUnchanged = ({ createdAt, updatedAt }: Pick<Contact, 'createdAt' | 'updatedAt'>): boolean =>
  updatedAt === createdAt;

export const newContact = (id: string, details: ContactDetails, nowMs: number): KeptContact => {
  const createdMs = timeOfId(id);
  // The ids of an import's rows may be of a time that is still to come.
  const times = { createdAt: iso(createdMs), updatedAt: iso(Math.max(nowMs, createdMs)) };
  return {
    ...details,
    id,
    status: startStatus,
    score: startScore,
    listedScore: startScore,
    hasScoreRow: false,
    hasOneRow: details.source === sourceOfSends && isUnchanged(times),
    unsubscribedAt: null,
    hasLeft: false,
    ...times,
  };
};

/** The id of a contact that a request creates: the same for every attempt with these details, in the order of its rows. With others, it is another contact. */
export const newContactId = (requestId: string, details: ContactDetails, row = 0): string =>
  nthId(derivedId(timeOfId(requestId), `${requestId}${jsonOf(details)}`), row);

/** Every visible change has a distinct time, so versions with the same time are equal. */
const touched = ({ updatedAt }: Contact, nowMs: number): string => iso(Math.max(nowMs, Date.parse(updatedAt) + 1));

/**
 * The contact with the sent details.
 * @throws Fault `invalid_request` when neither email nor phone is left
 */
export const changed = (before: KeptContact, sent: SentDetails, nowMs: number): KeptContact => {
  const details = overlay(before, sent);
  if (details.email === null && details.phone === null)
    throw new Fault('invalid_request', 'email or phone: at least one is required');
  return { ...before, ...details, updatedAt: touched(before, nowMs) };
};

/** Whether it unsubscribed at that time or later. */
export const hasUnsubscribedSince = ({ unsubscribedAt }: Pick<KeptContact, 'unsubscribedAt'>, at: string): boolean =>
  unsubscribedAt !== null && unsubscribedAt >= at;

/** The contact with this status; the same object if it has it already. A late STOP does not bring back what a later unsubscription ended. */
export const withStatus = (before: KeptContact, status: ContactStatus, nowMs: number): KeptContact => {
  if (before.status === status) return before;
  const isNews = status === 'unsubscribed' && !hasUnsubscribedSince(before, iso(nowMs));
  return {
    ...before,
    status,
    updatedAt: touched(before, nowMs),
    ...(isNews && { unsubscribedAt: iso(nowMs) }),
  };
};

/** The contact after a caller of the admin API has set this status. Unsubscribing it again also ends the consents since. */
export const setTo = (before: KeptContact, status: ContactStatus, nowMs: number): KeptContact =>
  status === 'unsubscribed' && before.status === status && !hasUnsubscribedSince(before, iso(nowMs))
    ? { ...before, updatedAt: touched(before, nowMs), unsubscribedAt: iso(nowMs) }
    : withStatus(before, status, nowMs);

/** The contact after another reason for the status that it has. */
export const confirmed = (before: KeptContact, nowMs: number): KeptContact => ({
  ...before,
  updatedAt: touched(before, nowMs),
});

/** The contact after its owner unsubscribed it, perhaps again, which also ends consents since the last time. The same object if its last one is later. */
export const left = (before: KeptContact, nowMs: number): KeptContact =>
  before.hasLeft && before.unsubscribedAt !== null && before.unsubscribedAt >= iso(nowMs)
    ? before
    : { ...before, unsubscribedAt: iso(nowMs), hasLeft: true };

/** A score without its last digit. */
export const tensOf = (score: number): number => Math.floor(score / 10) * 10;

/**
 * The contact with this much added to its score; itself when the score is already at that end. While it rises within its tens, it keeps its place
 * in lists, because each move costs two write units: `listedScore` never exceeds `score`.
 */
export const withScore = (before: KeptContact, delta: number): KeptContact => {
  const score = Math.min(Math.max(before.score + delta, 0), highestScore);
  if (score === before.score) return before;
  const isInPlace = score >= before.listedScore && tensOf(score) === tensOf(before.listedScore);
  return { ...before, score, listedScore: isInPlace ? before.listedScore : score };
};

/** An address that another contact holds. A retired contact keeps its email. */
export interface Taken {
  readonly field: 'email' | 'phone';
  readonly byRetired: boolean;
}

/** Which addresses a retired contact keeps: its email cannot be used again, its phone may become another person's. */
export const holdsWhenRetired: Readonly<Record<Taken['field'], boolean>> = { email: true, phone: false };

/** Why a contact was not written, for the caller. */
export const takenText = (taken: readonly Taken[]): string =>
  taken
    .map(({ field, byRetired }) => `${field}: ${byRetired ? 'a retired' : 'another'} contact already uses it`)
    .join('; ');
