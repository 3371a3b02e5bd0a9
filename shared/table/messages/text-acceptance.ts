import type { Slots } from '../../compliance/frequency-cap.ts';
import { recipientDetails } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { nthId } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { contactCheck, createWrites } from '../contacts/contact-writes.ts';
import { optOutCheck } from '../contacts/opt-out-items.ts';
import { itemKeys } from '../keys.ts';
import type { Refused, Table, Write } from '../table.ts';
import { acceptWrites } from './message-items.ts';
import type { SendContext } from './send-store.ts';
import { type Case, consentIn, type Known, reasonIn, slotsIn, type TextSend } from './text-case.ts';

/** `exists`: an earlier try under the same idempotency key has already written the message. */
export type TextAcceptance = 'accepted' | 'exists' | 'unfunded' | { readonly blocked: string };

/** Refused unless the channel's consent is what it was. */
const consentCheck = (accountId: string, { id }: Known, channel: string, consent: unknown): Write => ({
  ConditionCheck: {
    Key: itemKeys.consents(accountId, id),
    ConditionExpression: consent === undefined ? 'attribute_not_exists(#channel)' : '#channel = :consent',
    ExpressionAttributeNames: { '#channel': channel },
    ...(consent !== undefined && { ExpressionAttributeValues: { ':consent': consent } }),
  },
});

/** Takes a slot. Refused when somebody has taken one since they were counted. */
const slotWrite = (
  accountId: string,
  contactId: string,
  { context, known, nowMs }: Case,
  slots: Slots | undefined,
): Write[] => {
  const { frequencyCap } = context.settings;
  if (!frequencyCap || slots?.kind !== 'free') return [];
  const version = Number(known?.cap?.['version'] ?? 0);
  const item = {
    ...itemKeys.frequencyCap(accountId, contactId),
    entity: 'frequency-cap',
    times: slots.times,
    version: version + 1,
    expiresAt: Math.ceil(nowMs / 1_000) + frequencyCap.windowSeconds,
  };
  const isAsRead = {
    ConditionExpression: 'attribute_not_exists(PK) OR version = :read',
    ExpressionAttributeValues: { ':read': version },
  };
  return [{ Put: { Item: item, ...isAsRead } }];
};

/**
 * Judges a text by all that is known, and writes it with its price, its slot and, to somebody new, the contact in one transaction, which
 * holds only as long as what it was judged by does.
 */
export const textAcceptance = (
  table: Table,
  vault: Vault,
  prepare: (account: AccountRef, send: TextSend) => Promise<SendContext>,
) => {
  /** Undefined when the contact has just been retired, and has let its phone go. */
  const find = async (accountId: string, id: string, isCapped: boolean): Promise<Known | undefined> => {
    const [contact, consents, cap] = await table.getAll([
      itemKeys.contact(accountId, id),
      itemKeys.consents(accountId, id),
      ...(isCapped ? [itemKeys.frequencyCap(accountId, id)] : []),
    ]);
    return contact && { id, contact, consents, cap };
  };

  const write = async (account: AccountRef, judged: Case, slots: Slots | undefined): Promise<Refused | undefined> => {
    const { send, context, known } = judged;
    const { message, text, phone } = send;
    const cipher = await vault.unlock(account);
    const contactId = known?.id ?? nthId(message.id, 1);
    return table.transact([
      ...acceptWrites(account.id, cipher, message, contactId, text),
      ...slotWrite(account.id, contactId, judged, slots),
      ...(context.optOut ? [optOutCheck(context.optOut)] : []),
      ...(known
        ? [
            contactCheck(account.id, { id: known.id, updatedAt: String(known.contact['updatedAt']) }),
            consentCheck(account.id, known, message.channel, consentIn(judged)),
          ]
        : createWrites(account.id, cipher, contactId, recipientDetails({ phone }), Date.parse(message.createdAt))),
    ]);
  };

  const accept = async (
    account: AccountRef,
    send: TextSend,
    context: SendContext,
    nowMs: number,
  ): Promise<TextAcceptance> => {
    const { settings, holder } = context;
    const known = holder && (await find(account.id, holder.contactId, settings.frequencyCap !== null));
    const judged = { send, context, known, nowMs };
    const slots = slotsIn(judged);
    const blocked = reasonIn(judged, slots);
    if (blocked !== undefined) {
      const earlier = await table.get(itemKeys.message(account.id, send.message.id));
      return earlier ? 'exists' : { blocked };
    }
    const refused = await write(account, judged, slots);
    if (!refused) return 'accepted';
    return refusalIn(refused) ?? accept(account, send, await prepare(account, send), nowMs);
  };

  return accept;
};

/** Undefined: what the text was judged by has changed. */
const refusalIn = ({ failed }: Refused): 'exists' | 'unfunded' | undefined => {
  const entities = failed.map(({ item }) => item?.['entity']);
  if (entities.includes('message')) return 'exists';
  if (entities.includes('contact-account')) throw new InternalError('another item has the id of a new contact');
  return entities.every((entity) => entity === 'credits') ? 'unfunded' : undefined;
};
