import { withStatus } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { timeOfId } from '../../kit/id.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';
import type { ContactStore } from './contact-store.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** So many within a day quarantine a contact. */
const mostStrikes = 3;

/** What the spam scan has refused lately, by the contact that it was for. */
export const strikeStore = (
  table: Table,
  { contacts }: { readonly contacts: Pick<ContactStore, 'find' | 'change'> },
) => ({
  /** Holds a refused send against its contact. One that is not active is kept from messages already, or has asked for worse. */
  add: async (account: AccountRef, contactId: string, sendId: string, nowMs: number): Promise<void> => {
    const contact = await contacts.find(account, contactId);
    if (contact?.status !== 'active') return;
    const { item } = await table.update({
      Key: itemKeys.strikes(account.id, contactId),
      UpdateExpression: 'ADD sends :send SET entity = :entity, expiresAt = :expires',
      ExpressionAttributeValues: {
        ':send': new Set([sendId]),
        ':entity': 'strikes',
        ':expires': Math.ceil((nowMs + dayMs) / 1_000),
      },
    });
    const sends = [...((item?.['sends'] ?? []) as Iterable<string>)];
    if (sends.filter((id) => timeOfId(id) > nowMs - dayMs).length < mostStrikes) return;
    await contacts.change(account, contactId, (before) =>
      before.status === 'active' ? withStatus(before, 'quarantined', nowMs) : before,
    );
  },
});

export type StrikeStore = ReturnType<typeof strikeStore>;
