import type { AccountRef } from '../kit/account-ref.ts';
import { timeOfId } from '../kit/id.ts';
import { type KeptContact, withStatus } from './contact.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** So many within a day quarantine a contact. */
const mostStrikes = 3;

/** Whether a contact is quarantined for these sends, which were all refused as spam; a send's id says when it was made. */
export const isQuarantinedBy = (sendIds: readonly string[], nowMs: number): boolean =>
  sendIds.filter((id) => timeOfId(id) > nowMs - dayMs).length >= mostStrikes;

interface Needs {
  readonly contacts: {
    find(account: AccountRef, id: string): Promise<KeptContact | undefined>;
    change(account: AccountRef, id: string, to: (before: KeptContact) => KeptContact): Promise<unknown>;
  };
  readonly strikes: {
    add(account: AccountRef, contactId: string, sendId: string, expiresMs: number): Promise<readonly string[]>;
  };
}

/** Holds a send that was refused as spam against its contact. One that is not active is blocked already, or has asked for worse. */
export const addStrike = async (
  { contacts, strikes }: Needs,
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
