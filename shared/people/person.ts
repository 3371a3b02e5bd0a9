import * as z from 'zod';
import { notAnEmail } from '../messages/email-address.ts';

/** What a member of an account may do; each role may do all that those before it may. */
export const roles = ['viewer', 'developer', 'owner'] as const;
export const role = z.enum(roles);
export type Role = z.output<typeof role>;

export const covers = (given: Role, wanted: Role): boolean => roles.indexOf(given) >= roles.indexOf(wanted);

/** Who calls the admin API: a person by their session, or a script by its operator token. */
export interface Caller {
  readonly kind: 'session' | 'token';
  /** The id of the session or of the token. */
  readonly id: string;
  /** The hash of the secret that was sent, which finds the session or the token. */
  readonly hash: string;
  /** The person's fingerprint, or `token`. */
  readonly person: string;
  /** Of the person; null for a token. */
  readonly email: string | null;
  /** Of the token; null for a person. */
  readonly name: string | null;
  /** Operators may do everything on every account. */
  readonly isOperator: boolean;
  /** By account. */
  readonly roles: Readonly<Record<string, Role>>;
  /** When the session ends, ISO 8601. */
  readonly expiresAt: string | null;
}

/** Whom ledgers and invitations name. */
export const nameOf = ({ email, name }: Pick<Caller, 'email' | 'name'>): string => email ?? name ?? 'operator';

/** Whose the keys are that a caller is lent: of the person, in all their sessions, or of the one token. */
export const borrowerOf = ({ kind, id, person }: Pick<Caller, 'kind' | 'id' | 'person'>): string =>
  kind === 'token' ? id : person;

/** One person is one address, however its letters are written. */
export const personalEmail = z.email(notAnEmail).max(320).toLowerCase();

/** Who makes a change, and from where. */
export interface Actor {
  readonly kind: Caller['kind'];
  readonly email: string | null;
  readonly name: string | null;
  readonly address: string;
  readonly userAgent: string;
}

/** Who a key was lent to, sealed, and what opens it. */
export interface Lent {
  readonly actor: Uint8Array;
  readonly sealedKey: string;
}

/** What a path of the admin API may name instead of its account. */
export type OwnedResource = 'contact' | 'payment' | 'session' | 'apiKey' | 'checkoutKey';

/** The members of this scope are the operators of the platform; those of an account have its id as their scope. */
export const platform = 'platform';

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: Role | 'operator';
  readonly createdAt: string;
  readonly invitedBy: string;
}
