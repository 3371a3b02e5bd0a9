import type { Channel, TextChannel } from '../messages/message.ts';
import { type ConsentEntry, overrides } from './consent.ts';

type Said = Pick<ConsentEntry, 'status' | 'at'>;

/**
 * What was last said for a phone, whoever its contact is now: of each channel, by its holder or by an operator, and by its holder on
 * `any` channel.
 */
export type OptOut = { readonly [Of in TextChannel | 'any']?: Said };

const later = (entry: Said, said: Said | undefined): Said | undefined => (overrides(entry, said) ? entry : said);

/** What stands once this was said too, in any order; itself when that tells nothing new. What the platform ends, nobody has said. */
export const heard = (optOut: OptOut, { channel, status, by, at }: ConsentEntry): OptOut => {
  if (channel === 'email' || by === 'platform') return optOut;
  const said = { status, at };
  const own = later(said, optOut[channel]);
  const any = by === 'recipient' ? later(said, optOut.any) : optOut.any;
  return own === optOut[channel] && any === optOut.any ? optOut : { ...optOut, [channel]: own, ...(any && { any }) };
};

/** Whether a phone is not to be written to on a channel. Its holder's STOP counts on both, until something newer was said of this one. */
export const isOptedOut = (optOut: OptOut, channel: Channel): boolean => {
  if (channel === 'email') return false;
  const { any, [channel]: own } = optOut;
  if (own?.status === 'withdrawn') return true;
  return any?.status === 'withdrawn' && !(own && own.at > any.at);
};
