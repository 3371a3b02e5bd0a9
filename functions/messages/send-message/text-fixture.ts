import type { AccountSettings } from '../../../shared/accounts/account.ts';
import type { Credits } from '../../../shared/accounts/credits.ts';
import type { ConsentEntry } from '../../../shared/compliance/consent.ts';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { openSending } from './send-fixture.ts';

/** The test string that every spam scan refuses. */
export const spam = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

interface Wishes {
  readonly settings?: Partial<AccountSettings>;
  readonly credits?: Partial<Credits>;
}

let phones = 0;
/** A phone in Bangladesh, unique to this test. */
export const somePhone = (): string => `+88017${String(++phones).padStart(8, '0')}`;

/** A world to send sms and whatsapp messages in. */
export const openTexting = async () => {
  const sending = await openSending();
  const { world } = sending;

  const newContact = async (ref: typeof sending.account.ref, phone: string) => {
    const id = newId(Date.now());
    await world.contacts.create(ref, { id, details: detailsOf({ phone }) }, Date.now());
    return id;
  };

  const consent = (ref: typeof sending.account.ref, contactId: string, changes: Partial<ConsentEntry> = {}) =>
    world.consents.record(ref, contactId, {
      id: newId(Date.now()),
      channel: 'sms',
      status: 'active',
      source: 'form',
      text: null,
      by: 'operator',
      at: iso(Date.now()),
      ...changes,
    });

  return {
    ...sending,
    newContact,
    consent,

    /** An account with one contact that may receive sms, and whatsapp while its window is open. */
    reachable: async (wishes: Wishes = {}) => {
      const { ref, key } = await world.newAccount(wishes);
      const phone = somePhone();
      const contactId = await newContact(ref, phone);
      await consent(ref, contactId);
      await world.windows.open(ref, phone, Date.now());
      return { ref, key, phone, contactId };
    },

    change: async (id: string, changes: Partial<AccountSettings>) => {
      const account = await world.accounts.find(id);
      if (!account) throw new Error('no such account');
      await world.accounts.save(account, { ...account, ...changes }, Date.now());
    },

    /** How many sends of a contact count for its cap. */
    slots: async (accountId: string, contactId: string) =>
      ((await world.table.get(itemKeys.frequencyCap(accountId, contactId)))?.['times'] as number[] | undefined)?.length,

    /** Runs this after the next send has read its context and before it writes. */
    beforeNextWrite: (act: () => Promise<unknown>) => {
      let hasActed = false;
      world.calls.tap('before-next-write', (next) => async (name, input) => {
        if (!hasActed && name === 'TransactWriteItems') {
          hasActed = true;
          await act();
        }
        return next(name, input);
      });
    },
  };
};

export type Texting = Awaited<ReturnType<typeof openTexting>>;
