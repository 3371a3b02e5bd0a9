import type { ContactDetails } from './contact.ts';

const mostWords = 8;

/** Without case and accents, so that `Élodie` is found by `elodie`. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC');

/** The form in which an email is unique and looked up; it is stored and shown as it was sent. */
export const foldEmail = (email: string): string => email.toLowerCase();

/** The words of a name that a search can begin with: the first eight different ones. */
export const nameWords = ({ firstName, lastName }: Pick<ContactDetails, 'firstName' | 'lastName'>): string[] =>
  [...new Set(fold(`${firstName ?? ''} ${lastName ?? ''}`).split(/[^\p{L}\p{N}]+/u))]
    .filter(Boolean)
    .slice(0, mostWords);
