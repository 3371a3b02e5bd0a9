import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import type { Recipient } from '../../messages/recipient.ts';
import type { SpreadStore } from '../messages/spread-store.ts';
import type { Table } from '../table.ts';

/**
 * What an account can hold about a person, in the order in which it is erased: what finds other things comes after them, so that a run that was
 * cut off is finished by the next one.
 */
export const traceKinds = [
  'scheduledMessage',
  'file',
  'attachment',
  'transfer',
  'auditEntry',
  'delivery',
  'event',
  'message',
  'payment',
  'refund',
  'checkoutSession',
  'whatsappWindow',
  'optOut',
  'suppression',
  'consent',
  'contact',
] as const;
export type TraceKind = (typeof traceKinds)[number];

/** One thing that an account holds about a person. */
export interface Trace {
  readonly kind: TraceKind;
  /** All that is known of it. */
  readonly holds: object;
  /**
   * Deletes it, or blanks what names the person; erased again, it stays so. False: work is going on with it, so it can be erased later.
   * Undefined: it stays, because it has nothing of the person, or only a fingerprint of an address.
   */
  readonly erase?: (nowMs: number) => Promise<boolean>;
}

/** What is known of a thing, but for these fields, by which only the product works. */
export const without = <Thing extends object>(thing: Thing, ...names: readonly (keyof Thing)[]): object => {
  const gone = new Set<PropertyKey>(names);
  return Object.fromEntries(Object.entries(thing).filter(([name]) => !gone.has(name)));
};

/** Where traces are looked for. */
export interface Stores {
  readonly table: Table;
  readonly vault: Vault;
  readonly spreads: SpreadStore;
}

export type Address = Recipient['contact'];

/** A person whose data is exported or erased, as one account knows them. */
export interface DataSubject {
  readonly account: AccountRef;
  readonly cipher: Cipher;
  readonly addresses: readonly Address[];
  /** Whether a value has one of the addresses in its texts. */
  readonly mentions: (value: unknown) => boolean;
}
