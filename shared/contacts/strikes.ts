import type { AccountRef } from '../kit/account-ref.ts';
import { timeOfId } from '../kit/id.ts';
import { dayMs } from '../kit/time-units.ts';
import { type KeptContact, withStatus } from './contact.ts';

/** This many within a day quarantine a contact. */
const mostStrikes = 3;

/** Whether these sends, all refused as spam, quarantine a contact. A send's id contains its time. */
export const isQuarantinedBy = (sendIds: readonly string[], nowMs: number): boolean =>
  sendIds.filter((id) => timeOfId(id) > nowMs - dayMs).length >= mostStrikes;

export interface StrikeNeeds {
  readonly contacts: {
    find(account: AccountRef, id: string): Promise<KeptContact | undefined>;
    change(account: AccountRef, id: string, to: (before: KeptContact) => KeptContact): Promise<unknown>;
  };
  readonly strikes: {
    add(account: AccountRef, contactId: string, sendId: string, expiresMs: number): Promise<readonly string[]>;
  };
}

/** Records a send that was refused as spam on its contact. Inactive contacts are skipped: they are blocked already. */
export const addStrike = async (
  { contacts, strikes }: StrikeNeeds,
  account: AccountRef,
  contactId: string,
  sendId: string,
  nowMs: number,
): Promise<void> => {
  const contact = await contacts.find(account, contactId);
  if (contact?.status !== 'active') return;
  const sendIds = await strikes.add(account, contactId, sendId, nowMs + dayMs);
  if (!isQuarantinedBy(sendIds, nowMs)) return;
  await contacts.change(account, contactId, (before) =>
    before.status === 'active' ? withStatus(before, 'quarantined', nowMs) : before,
  );
};
