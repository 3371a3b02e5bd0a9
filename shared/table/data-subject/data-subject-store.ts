import { mentionOf } from '../../contacts/mention.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { addressTraces } from './address-traces.ts';
import { auditTraces } from './audit-traces.ts';
import { checkoutTraces } from './checkout-traces.ts';
import { contactTraces } from './contact-traces.ts';
import { fileTraces, type SubjectFiles } from './file-traces.ts';
import { messageTraces } from './message-traces.ts';
import { allAddresses, ownContacts } from './own-contacts.ts';
import { type Address, type DataSubject, type Stores, type Trace, type TraceKind, traceKinds } from './trace.ts';

/** What is found only through things of a kind. They stay while any of it is left: it would not be found any more. Contacts lead to the other addresses of the person. */
const leadsTo: Partial<Record<TraceKind, readonly TraceKind[]>> = {
  message: ['delivery', 'event'],
  checkoutSession: ['delivery', 'event', 'payment', 'refund'],
  contact: traceKinds,
};

/** Everything that accounts hold about one data subject: a person whose data is exported or erased. */
export const dataSubjectStore = (stores: Stores, files: SubjectFiles) => {
  const { table, vault } = stores;
  const ofContacts = contactTraces(stores);
  const others = [
    fileTraces(stores, files),
    auditTraces(stores),
    messageTraces(stores),
    checkoutTraces(stores),
    addressTraces(stores),
  ];

  /**
   * What an account holds about the holder of an address, in the order in which it is to be erased. Other addresses of the same contact count as
   * the person's too.
   */
  const tracesIn = async (account: AccountRef, address: Address): Promise<Trace[]> => {
    const cipher = await vault.unlock(account);
    const contacts = await ownContacts(table, account, cipher, [address]);
    const addresses = allAddresses([address], contacts);
    const subject: DataSubject = { account, cipher, addresses, mentions: mentionOf(addresses) };
    const found = await Promise.all([...others.map((tracesOf) => tracesOf(subject)), ofContacts(subject, contacts)]);
    return found.flat().sort((one, other) => traceKinds.indexOf(one.kind) - traceKinds.indexOf(other.kind));
  };

  return {
    tracesIn,

    /** Erases what an account holds about a person, and returns what is left because work goes on with it. */
    eraseIn: async (account: AccountRef, address: Address, nowMs: number) => {
      const erased: Trace[] = [];
      const left: Trace[] = [];
      for (const trace of await tracesIn(account, address)) {
        const { kind, erase } = trace;
        if (!erase) continue;
        const isNeeded = left.some((other) => leadsTo[kind]?.includes(other.kind));
        const isErased = !isNeeded && (await erase(nowMs));
        (isErased ? erased : left).push(trace);
      }
      return { erased, left };
    },
  };
};
