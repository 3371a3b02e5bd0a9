import type { Draft, Slot } from '../../compliance/gate.ts';
import type { SendContext } from '../../compliance/send-context.ts';
import { recipientDetails } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { newId, timeOfId } from '../../kit/id.ts';
import type { Mail } from '../../messages/mail.ts';
import type { AcceptedMessage } from '../../messages/new-message.ts';
import { type Funding, fundingOf } from '../accounts/send-funding.ts';
import { contactAccountItem, countCreated, standingWrites } from '../contacts/contact-writes.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Refused, Table, Write } from '../table.ts';
import { checkNew, putNew } from '../writes.ts';
import { dueRow, dueRows, putOffUpdate, retryKeyOf } from './due-items.ts';
import { type MailPointer, mailParts } from './mail-parts.ts';
import { messageItems } from './message-items.ts';
import { placing } from './message-places.ts';
import { holderChecks, optOutChecks, slotWrite } from './send-conditions.ts';
import { sendContextStore } from './send-context-store.ts';
import type { SpreadStore } from './spread-store.ts';

/** The reads of a send, and the transactions that accept it, and put it off. */
export const sendStore = (table: Table, vault: Vault, spreads: SpreadStore) => {
  const placeOf = placing(vault, spreads);

  /** Repeats the transaction with another payer while one is short and others can help out. */
  const writePaid = async (
    funding: Funding,
    partsNow: () => Parts,
    onThrottled: () => void,
  ): Promise<'accepted' | Refusal> => {
    let parts = partsNow();
    const refused = await table.transact((collided, throttled) => {
      if (namesIn(parts, collided).has('credits')) funding.payElsewhere();
      if (namesIn(parts, throttled).has('message')) onThrottled();
      parts = partsNow();
      return Object.values(parts).flat();
    });
    if (!refused) return 'accepted';
    const refusal = refusalIn(parts, refused);
    if (refusal !== 'unfunded') return refusal;
    const shortage = await funding.cover(refused.failed[0]?.item);
    return shortage === 'covered' ? writePaid(funding, partsNow, onThrottled) : shortage;
  };

  return {
    read: sendContextStore(table, vault, spreads).read,

    /** All or nothing, on the condition that the draft's context is unchanged. */
    write: async (
      account: AccountRef,
      { message, contact, text, mail, expiresMs, run, isResumed }: Draft,
      { holder, optOut, creditShards = 1 }: Pick<SendContext, 'holder' | 'optOut' | 'creditShards'>,
      slot: Slot | undefined,
    ): Promise<'accepted' | Refusal> => {
      const { id, price, createdAt } = message;
      const place = await placeOf(account, message);
      const { cipher } = place;
      // Not the same for every attempt: a message that was withdrawn leaves its contact, and may come back under its id for another recipient.
      const contactId = holder?.contactId ?? newId(timeOfId(id));
      const { row, beside } = messageItems(place, message, {
        origin: 'api',
        contactId,
        recipient: contact,
        text,
        expiresMs,
        slotMs: slot?.times.at(-1),
        run,
      });
      const parts = mail && mailParts(account.id, cipher, mail, Date.parse(message.scheduledAt ?? createdAt));
      const wait = waitWrites(account.id, { message, isResumed }, parts?.pointer);
      const ofContact = contactWrites(account.id, cipher, { message, contact }, { holder, contactId });
      const others = {
        slot: slot ? [slotWrite(account.id, contactId, slot, holder)] : [],
        optOut: optOutChecks(account.id, cipher, contact, { holder, optOut }),
        contact: ofContact.writes,
      };
      const funding = fundingOf(table, account.id, { price, shards: creditShards, contacts: ofContact.besides.length });
      const partsNow = (): Parts => ({
        message: [putNew({ ...row, price: funding.price() })],
        wait,
        credits: funding.writes(),
        ...others,
      });
      // Before the transaction, which would write it at twice its size. After an error the message may be there, and need it.
      const besides = [...(beside ? [beside] : []), ...(parts?.items ?? []), ...ofContact.besides];
      await Promise.all(besides.map((Item) => table.put({ Item })));
      let isThrottled = false;
      const outcome = await writePaid(funding, partsNow, () => {
        isThrottled = true;
      });
      if (outcome !== 'accepted') await Promise.all(besides.map(({ PK, SK }) => table.remove({ PK, SK })));
      await funding.spreadIfBusy();
      if (isThrottled) await spreads.double(account.id);
      return outcome;
    },

    /** Queues an email that a busy provider has not taken from this run, for another one. False: it is no longer this run that sends it. */
    putOff: async (
      account: AccountRef,
      { message, mail, run }: { readonly message: AcceptedMessage; readonly mail: Mail; readonly run: string },
      nowMs: number,
    ): Promise<boolean> => {
      const place = await placeOf(account, message);
      const { pointer, items } = mailParts(account.id, place.cipher, mail, nowMs);
      await Promise.all(items.map((Item) => table.put({ Item })));
      const refused = await table.transact([
        { Update: putOffUpdate(place, { steps: undefined }, run, nowMs) },
        { Put: { Item: dueRow(account.id, message, retryKeyOf(message.id, nowMs), pointer) } },
      ]);
      if (refused) await Promise.all(items.map(({ PK, SK }) => table.remove({ PK, SK })));
      return refused === undefined;
    },
  };
};

export type SendStore = ReturnType<typeof sendStore>;

/** The writes of the transaction, by subject. */
type Parts = Readonly<Record<'message' | 'wait' | 'credits' | 'slot' | 'optOut' | 'contact', readonly Write[]>>;

/** The parts that the writes at these positions belong to. */
const namesIn = (parts: Parts, positions: readonly number[]): ReadonlySet<string> => {
  const names = Object.entries(parts).flatMap(([name, writes]) => writes.map(() => name));
  return new Set(positions.flatMap((position) => names[position] ?? []));
};

type Refusal = 'exists' | 'cancelled' | 'unfunded' | 'stale';

/** Too few credits count only when nothing else was refused: judged again, the draft may be blocked by a rule, which comes first. */
const refusalIn = (parts: Parts, { failed }: Refused): Refusal => {
  const refused = namesIn(
    parts,
    failed.map(({ position }) => position),
  );
  if (refused.has('message')) return 'exists';
  if (refused.has('wait')) return 'cancelled';
  return refused.size === 1 && refused.has('credits') ? 'unfunded' : 'stale';
};

/** The row of a wait stays when its message is cancelled, so a request that is repeated then accepts nothing. */
const waitWrites = (
  accountId: string,
  { message, isResumed }: Pick<Draft, 'message' | 'isResumed'>,
  mail: MailPointer | undefined,
): Write[] => {
  const due = dueRows(accountId, message, mail).map(putNew);
  return due.length === 0 && isResumed ? [checkNew(itemKeys.dueMessage(accountId, message.id))] : due;
};

/**
 * Checks the contact that holds the address, or creates one. `besides` says whose a new one is: without the contact, it says nothing. A send that
 * takes credits counts the contact with them.
 */
const contactWrites = (
  accountId: string,
  cipher: Cipher,
  { message: { channel, price, createdAt }, contact }: Pick<Draft, 'message' | 'contact'>,
  { holder, contactId }: Pick<SendContext, 'holder'> & { readonly contactId: string },
): { readonly besides: readonly (ItemKey & Item)[]; readonly writes: readonly Write[] } => {
  if (holder) return { besides: [], writes: holderChecks(accountId, holder, channel) };
  const created = { id: contactId, details: recipientDetails(contact) };
  return {
    besides: [contactAccountItem(accountId, contactId)],
    writes: [
      ...standingWrites(accountId, cipher, created, Date.parse(createdAt)),
      ...(price.credits === 0 ? [countCreated(accountId, contactId, 1)] : []),
    ],
  };
};
