import { textChannels } from '../messages/message.ts';
import {
  type ConsentChannel,
  type ConsentEntry,
  consentChannels,
  type Leaver,
  latestFirst,
  leftAt,
  standingOn,
} from './consent.ts';
import { isOptedOut, type OptOut } from './opt-out.ts';

type End = Pick<ConsentEntry, 'source' | 'by' | 'at'>;

/** The withdrawal that this end was on a channel; none where there was nothing to withdraw. */
const withdrawalBy = (end: End, channel: ConsentChannel, entries: readonly ConsentEntry[]): ConsentEntry[] => {
  const given = standingOn(
    channel,
    entries.filter(({ at }) => at <= end.at),
  );
  if (given?.status !== 'active') return [];
  return [{ ...end, id: `${end.source}/${end.at}`, channel, status: 'withdrawn', text: null }];
};

/** What the phone keeps of a STOP on a channel, though the contact had none there: it came by the other one, or before the contact. */
const stopsKept = (entries: readonly ConsentEntry[], said: OptOut): ConsentEntry[] =>
  textChannels.flatMap((channel) => {
    const stop = [said[channel], said.any].find((one) => one?.status === 'withdrawn');
    if (!stop) return [];
    const end: End = { source: 'keyword', by: said.any ? 'recipient' : 'operator', at: stop.at };
    const isKnown = standingOn(channel, entries) !== undefined;
    if (isKnown || !isOptedOut(said, channel)) return withdrawalBy(end, channel, entries);
    return [{ ...end, id: `keyword/${stop.at}`, channel, status: 'withdrawn', text: null }];
  });

/**
 * The entries of a contact, the latest first, with the withdrawals that are kept elsewhere: STOP with its phone, which ends consents to all texts,
 * and the contact's last unsubscription, which ends those to all channels. What stands of them is what decides about a send.
 */
export const consentHistory = (entries: readonly ConsentEntry[], contact: Leaver, said: OptOut): ConsentEntry[] => {
  const withStops = [...entries, ...stopsKept(entries, said)];
  const at = leftAt(contact);
  const by = contact.hasLeft || said.any?.at === at ? 'recipient' : 'operator';
  // Who asks for messages again on the other channel takes those of whatsapp again, which needs no consent.
  const isBack = (channel: ConsentChannel) =>
    channel === 'whatsapp' && said.any?.status === 'active' && at !== undefined && said.any.at > at;
  const left =
    at === undefined
      ? []
      : consentChannels
          .filter((channel) => !isBack(channel))
          .flatMap((channel) => withdrawalBy({ source: 'unsubscribed', by, at }, channel, withStops));
  return latestFirst([...withStops, ...left]);
};
