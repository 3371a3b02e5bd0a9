import { foldEmail } from '../../shared/contacts/search.ts';
import type { Data } from './client.ts';
import type { Judged } from './invariants.ts';
import { type Kind, livesIn } from './lives.ts';
import { checkoutLists, checkoutThings } from './reader-checkout-rules.ts';
import { contact } from './reader-contacts.ts';
import type { PlaceName } from './reader-places.ts';
import { agree, behindMs, isAsked, isOf, isOfTime, type ListRule, type ThingRule } from './reader-row.ts';
import { shownIn } from './readers.ts';
import type { Fields } from './table/value.ts';

const idIn = ({ SK }: Fields): string => String(SK);

/** Addresses by the key that items of them have. */
type Addresses = ReadonlyMap<unknown, string>;

/** Whether an item is of an address that a query asks for; undefined where nobody knows of whom it is. */
const isTo = (to: string | undefined, address: string | undefined): boolean | undefined => {
  if (to === undefined) return true;
  return address === undefined ? undefined : foldEmail(address) === foldEmail(to);
};

const recipientsIn = ({ facts, world }: Judged): Addresses => {
  const keys = new Map(world.table.all().map((item) => [idIn(item), item['GSI2PK']]));
  const messages = facts.flatMap((each) => each.messages);
  return new Map(messages.map(({ message: { id, to } }) => [keys.get(id), String(to)]));
};

export const messageKind: Kind = { entity: 'message', idOf: idIn };

const message: ThingRule = {
  kind: messageKind,
  shows: (row, item) =>
    agree(row, item, 'channel', 'status', 'sentAt', 'deliveredAt', 'failedAt', 'failureCode', 'scheduledAt'),
};

const suppression: Kind = { entity: 'suppression', idOf: ({ GSI1SK }) => String(GSI1SK) };

/** As far as any list has shown them. */
const suppressedIn = ({ readers, world }: Judged): Addresses => {
  const lives = livesIn(world, suppression);
  const rows: readonly Data[] = shownIn(readers, 'suppressions').flatMap(({ answer }) => answer.body.data);
  return new Map(rows.map(({ id, address }) => [lives.get(id)?.[0]?.item['PK'], String(address)]));
};

export const thingRules: Partial<Readonly<Record<PlaceName, ThingRule>>> = {
  message,
  contact,
  ...checkoutThings,
};

export const listRules: Partial<Readonly<Record<PlaceName, ListRule>>> = {
  messages: {
    ...message,
    fits: (asked, judged) => {
      const { channel, status, to, createdAfter, createdBefore } = asked.query;
      const addresses: Addresses = to === undefined ? new Map() : recipientsIn(judged);
      return (item) => {
        const isMeant =
          isOf(asked, item) &&
          isAsked(channel, item['channel']) &&
          isAsked(status, item['status']) &&
          isOfTime(idIn(item), createdAfter, createdBefore);
        if (!isMeant || (to !== undefined && item['origin'] !== 'api')) return false;
        return isTo(to, addresses.get(item['GSI2PK']));
      };
    },
    lagMs: ({ query: { to, status } }) => (to === undefined && status === undefined ? 0 : behindMs),
  },
  suppressions: {
    kind: suppression,
    fits: (asked, judged) => {
      const { channel, reason, address } = asked.query;
      const addresses = suppressedIn(judged);
      return (item) => {
        const isMeant = isOf(asked, item) && isAsked(channel, item['channel']) && isAsked(reason, item['reason']);
        return isMeant && isTo(address, addresses.get(item['PK']));
      };
    },
    lagMs: ({ query: { address } }) => (address === undefined ? behindMs : 0),
    shows: (row, item) => agree(row, item, 'channel', 'reason'),
  },
  deliveries: {
    kind: { entity: 'delivery', idOf: idIn },
    fits: (asked) => (item) => isOf(asked, item) && item['PK'] === `WH#${asked.path['webhookId']}`,
    lagMs: () => 0,
    // A pause cancels what is pending at once.
    shows: (row, item) =>
      agree(row, item, 'event', 'eventId', 'attemptsMade') &&
      (row.state === item['state'] || (row.state === 'cancelled' && item['state'] === 'pending')),
  },
  ...checkoutLists,
};
