import { iso } from '../kit/time.ts';
import type { Status } from '../messages/message.ts';
import {
  type ContactStatus,
  confirmed,
  hasUnsubscribedSince,
  type KeptContact,
  left,
  withScore,
  withStatus,
} from './contact.ts';

interface Reaction {
  readonly score?: number;
  readonly status?: ContactStatus;
}

/** What a message's status changes on its contact. */
const reactions: Readonly<Partial<Record<Status, Reaction>>> = {
  delivered: { score: 1 },
  opened: { score: 5 },
  clicked: { score: 10 },
  read: { score: 5 },
  bounced: { score: -25, status: 'bounced' },
  complained: { score: -50, status: 'complained' },
  unsubscribed: { status: 'unsubscribed' },
};

/** A message only ever changes a status to a heavier one: a bounce does not make a contact reachable that has opted out. */
const weights: Readonly<Record<ContactStatus, number>> = {
  active: 0,
  quarantined: 1,
  bounced: 2,
  unsubscribed: 3,
  complained: 4,
};

/** The contact after a message to it has come to this status; itself when that changes nothing. */
export const reacted = (contact: KeptContact, to: Status, nowMs: number): KeptContact => {
  const { score = 0, status } = reactions[to] ?? {};
  return withScore(status === undefined ? contact : standing(contact, status, nowMs), score);
};

const standing = (contact: KeptContact, status: ContactStatus, nowMs: number): KeptContact => {
  const outweighs = weights[status] > weights[contact.status];
  const after = outweighs ? withStatus(contact, status, nowMs) : contact;
  if (status === 'unsubscribed') return left(after, nowMs);
  // An unsubscription whose status is replaced still counts: no operator has lifted it.
  if (outweighs) return contact.status === 'unsubscribed' ? { ...after, hasLeft: true } : after;
  // Its address may have been taken off the list of suppressions meanwhile.
  return confirmed(contact, nowMs);
};

/**
 * The contact after its owner asked for no more messages, or for messages again; itself when that changes nothing. One that is not active
 * for another reason stays so, that no START lifts what no STOP has set: the opt-out itself is kept with the phone. A START is about texts, so
 * it does not lift an unsubscription by one click, which was about emails too; and one that arrives late does not lift an unsubscription since. A
 * STOP after an operator has lifted such a click is what a START lifts.
 */
export const afterRequest = (contact: KeptContact, asked: 'stop' | 'start', nowMs: number): KeptContact => {
  const isLate = hasUnsubscribedSince(contact, iso(nowMs));
  if (asked === 'start' && (contact.hasLeft || isLate)) return contact;
  const [from, to] = asked === 'stop' ? (['active', 'unsubscribed'] as const) : (['unsubscribed', 'active'] as const);
  return contact.status === from ? { ...withStatus(contact, to, nowMs), hasLeft: contact.hasLeft && isLate } : contact;
};
