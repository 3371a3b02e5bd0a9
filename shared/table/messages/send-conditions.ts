import type { Draft, Slot } from '../../compliance/gate.ts';
import type { Holder, SendContext } from '../../compliance/send-context.ts';
import type { Cipher } from '../../kit/cipher.ts';
import type { Channel } from '../../messages/message.ts';
import { consentCheck } from '../contacts/consent-items.ts';
import { contactCheck } from '../contacts/contact-writes.ts';
import { optOutCheck, optOutKey } from '../contacts/opt-out-items.ts';
import { itemKeys } from '../keys.ts';
import type { Table, Write } from '../table.ts';
import { versionAsRead } from '../writes.ts';
import type { StoredMessage } from './message-items.ts';

/** A text is refused when its contact or its consent has changed. An email is accepted also when they have changed. */
export const holderChecks = (accountId: string, { contactId, texted }: Holder, channel: Channel): Write[] =>
  texted
    ? [
        contactCheck(accountId, { ...texted, id: contactId }, texted.consentVersions),
        ...(texted.consentVersions ? [] : [consentCheck(accountId, contactId, channel, texted.consent?.status)]),
      ]
    : [];

/** A text is refused when its phone has been opted out or in. A contact that knows of it is checked itself. */
export const optOutChecks = (
  accountId: string,
  cipher: Cipher,
  contact: Draft['contact'],
  { holder, optOut }: Pick<SendContext, 'holder' | 'optOut'>,
): Write[] =>
  optOut && 'phone' in contact && !holder?.texted?.consentVersions
    ? [optOutCheck(optOutKey(accountId, cipher, contact.phone), optOut)]
    : [];

/** Refused when another send took a slot after they were counted. */
export const slotWrite = (
  accountId: string,
  contactId: string,
  { times, endsMs }: Slot,
  holder: Holder | undefined,
): Write => {
  const version = holder?.texted?.cap.version ?? 0;
  return {
    Put: {
      Item: {
        ...itemKeys.frequencyCap(accountId, contactId),
        entity: 'frequency-cap',
        times,
        version: version + 1,
        expiresAt: Math.ceil(endsMs / 1_000),
      },
      ...versionAsRead(version),
    },
  };
};

/**
 * Gives the slot of a text back that was not sent, unless it has left the window. Refused when another send has changed the slots since they were
 * read.
 */
export const slotBackWrites = async (
  table: Pick<Table, 'get'>,
  accountId: string,
  { contactId, slotMs }: Partial<Pick<StoredMessage, 'contactId' | 'slotMs'>>,
): Promise<Write[]> => {
  if (contactId === undefined || slotMs === undefined) return [];
  const Key = itemKeys.frequencyCap(accountId, contactId);
  const cap = await table.get(Key);
  const position = ((cap?.['times'] ?? []) as number[]).indexOf(slotMs);
  if (position < 0) return [];
  return [
    {
      Update: {
        Key,
        UpdateExpression: `REMOVE times[${position}] ADD version :one`,
        ConditionExpression: 'version = :read',
        ExpressionAttributeValues: { ':one': 1, ':read': cap?.['version'] },
      },
    },
  ];
};
