import type { AccountSettings } from '../accounts/account.ts';
import type { ContactStatus } from '../contacts/contact.ts';
import type { SuppressionReason } from '../contacts/suppression.ts';
import type { ConsentStatus } from './consent.ts';
import type { OptOut } from './opt-out.ts';

/** The contact's data that decides about a text. The accepting transaction checks that it is unchanged. */
export interface TextedContact {
  readonly status: ContactStatus;
  readonly updatedAt: string;
  /** When it last unsubscribed. */
  readonly unsubscribedAt: string | null;
  /** Its owner unsubscribed it. */
  readonly hasLeft: boolean;
  /** The current consent on the text's channel. */
  readonly consent: { readonly status: ConsentStatus; readonly at: string } | undefined;
  /** The versions of its consents and its phone's opt-out, if it knows of them: then it is not unchanged when any of them is not. */
  readonly consentVersions?: { readonly consents: number; readonly optOut: number } | undefined;
  /** The times of texts to it that may count for the frequency cap. */
  readonly cap: { readonly times: readonly number[]; readonly version: number };
}

/** The contact that has the recipient's address. */
export interface Holder {
  readonly contactId: string;
  /** A retired contact keeps its email and releases its phone. */
  readonly isRetired: boolean;
  /** Read for texts only. */
  readonly texted?: TextedContact;
}

/** The context that a draft is judged by. */
export interface SendContext {
  readonly settings: AccountSettings;
  /** Undefined when the send creates the contact. */
  readonly holder: Holder | undefined;
  /** The opt-out of the recipient's phone, which stays with the phone. Read for a text only. */
  readonly optOut: { readonly said: OptOut; readonly version: number } | undefined;
  /** Why the recipient is not to be written to on this channel, if it is on the account's list. */
  readonly suppressed?: SuppressionReason | undefined;
  /** The end of the recipient's 24-hour window. Read for whatsapp only. */
  readonly windowOpenUntilMs: number | undefined;
  /** The number of items that the account's credits lie in; 1 by default. */
  readonly creditShards?: number;
}
