import { emailAddress } from '../messages/email-address.ts';
import { knownPhone, type Recipient } from '../messages/recipient.ts';
import type { ContactDetails } from './contact.ts';

/** A word is a row of the index, and a contact is written in one transaction, which holds 100 items. */
export const mostWords = 12;
/** The word is part of a sort key, which holds 1,024 bytes; signs that stand for whole phrases unfold to long words. */
const mostLetters = 100;

/** Without case and accents, so that `Zoë` is found by `zoe`. Only marks common to all scripts are accents: the vowel signs of বাংলা stay. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}&&\p{Script=Inherited}]/gv, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');

/** The form in which an email is unique and looked up; it is stored and shown as it was sent. */
export const foldEmail = (email: string): string => (emailAddress(email) ?? email).toLowerCase();

/** Whether the contact has this address, an email in any letter case. */
export const isHolder = (
  { email, phone }: Pick<ContactDetails, 'email' | 'phone'>,
  address: Recipient['contact'],
): boolean =>
  'email' in address ? email !== null && foldEmail(email) === foldEmail(address.email) : phone === address.phone;

const wordsOf = (text: string): string[] => [
  ...new Set(
    fold(text)
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter(Boolean)
      .map((word) => [...word].slice(0, mostLetters).join('')),
  ),
];

/** Letters that Unicode does not take apart, as people write them whose keyboard lacks them. */
const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', þ: 'th' }),
);

const inPlainLetters = (word: string): string =>
  [...word]
    .flatMap((letter) => [...(plainLetters.get(letter) ?? letter)])
    .slice(0, mostLetters)
    .join('');

/**
 * The words of a name that a search can begin with: the first twelve different ones. `Łukasz` is among them as `lukasz` too, behind all others,
 * so that the rows of a contact that was indexed without stay the same.
 */
export const nameWords = ({ firstName, lastName }: Pick<ContactDetails, 'firstName' | 'lastName'>): string[] => {
  const words = wordsOf(`${firstName ?? ''} ${lastName ?? ''}`).slice(0, mostWords);
  return [...new Set([...words, ...words.map(inPlainLetters)])].slice(0, mostWords);
};

/** What one piece of a search can stand for: a whole email and nothing else, or a whole phone or starts of words of a name (`o'bri` is two). */
export interface Term {
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly words: readonly string[];
}

const termOf = (piece: string): Term =>
  emailAddress(piece) === undefined
    ? { email: undefined, phone: knownPhone(piece), words: wordsOf(piece) }
    : { email: foldEmail(piece), phone: undefined, words: [] };

const saysSomething = ({ email, phone, words }: Term): boolean =>
  email !== undefined || phone !== undefined || words.length > 0;

/**
 * The pieces of a search, longest first, because it usually matches the fewest contacts. Signs alone, as in `Rahim & Sons`, are no piece beside
 * others, because they are in no word of a name.
 */
export const searchTerms = (search: string): Term[] => {
  const terms = [...new Set(search.split(/\s+/))]
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
    .map(termOf);
  return terms.some(saysSomething) ? terms.filter(saysSomething) : terms;
};

type Searched = Pick<ContactDetails, 'email' | 'phone' | 'firstName' | 'lastName'>;

export const matchesTerm = (contact: Searched, { email, phone, words }: Term): boolean => {
  const own = nameWords(contact);
  return (
    (contact.email !== null && foldEmail(contact.email) === email) ||
    (contact.phone !== null && contact.phone === phone) ||
    (words.length > 0 && words.every((start) => own.some((word) => word.startsWith(start))))
  );
};
