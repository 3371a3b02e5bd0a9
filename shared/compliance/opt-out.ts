import type { Channel, TextChannel } from '../messages/message.ts';
import { type ConsentEntry, overrides } from './consent.ts';

/** What was last asked for, and when. */
type Statement = Pick<ConsentEntry, 'status' | 'at'>;

/**
 * The last request for a phone: on each channel, by its holder or by an operator, and by its holder on `any` channel. It stays with the
 * phone when that moves to another contact.
 */
export type OptOut = { readonly [Of in TextChannel | 'any']?: Statement };

const later = (entry: Statement, known: Statement | undefined): Statement | undefined =>
  overrides(entry, known) ? entry : known;

/** The opt-out with an entry added, in any order of arrival; itself when that changes nothing. The platform's own entries are no request. */
export const optOutAfter = (optOut: OptOut, { channel, status, by, at }: ConsentEntry): OptOut => {
  if (channel === 'email' || by === 'platform') return optOut;
  const statement = { status, at };
  const own = later(statement, optOut[channel]);
  const any = by === 'recipient' ? later(statement, optOut.any) : optOut.any;
  return own === optOut[channel] && any === optOut.any ? optOut : { ...optOut, [channel]: own, ...(any && { any }) };
};

/** Whether a phone must not be written to on a channel. Its holder's STOP counts on both, until a newer request for this one. */
export const isOptedOut = (optOut: OptOut, channel: Channel): boolean => {
  if (channel === 'email') return false;
  const { any, [channel]: own } = optOut;
  if (own?.status === 'withdrawn') return true;
  return any?.status === 'withdrawn' && !(own && own.at > any.at);
};
