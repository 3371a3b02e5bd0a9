import { contactStatuses } from '../../shared/contacts/contact.ts';
import { foldEmail } from '../../shared/contacts/search.ts';
import type { Details, Filing, MadeContact } from './clerks.ts';
import type { ContactFacts } from './contact-facts.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';

type ContactFact = ContactFacts['kept'][number];

const ofAccounts =
  (violations: (facts: AccountFacts) => readonly string[]) =>
  ({ facts }: Judged): readonly string[] =>
    facts.flatMap((each) => violations(each).map((what) => `account ${each.account.ref.id}: ${what}`));

const repeated = (all: readonly string[]): readonly string[] => all.filter((one, n) => all.indexOf(one) !== n);

/** What a contact may be, as far as its clerk knows: an answer that says nothing leaves both open. */
const possibleOf = ({ details, changes }: MadeContact): readonly (Details | 'retired')[] =>
  changes.reduce<readonly (Details | 'retired')[]>(
    (before, { to, status = 503 }) => {
      const after = before.map((one) => (one === 'retired' || to === 'retired' ? 'retired' : { ...one, ...to }));
      if (status < 300) return after;
      return status < 500 ? before : before.concat(after);
    },
    [details],
  );

const isLike = (contact: ContactFact, details: Details): boolean =>
  Object.entries(details).every(
    ([name, value]) => JSON.stringify(Reflect.get(contact, name)) === JSON.stringify(value),
  );

const contactsOf = ({ facts }: Judged, account: Filing['account']) => {
  const found = facts.find((each) => each.account === account)?.contacts;
  return { kept: found?.kept ?? [], retired: found?.retired ?? [] };
};

/** Of each contact that was wanted: whether its creation was answered with success. Undefined: the answer does not say. */
const outcomesOf = ({ wanted, answers: [answer] }: Filing): readonly (boolean | undefined)[] =>
  wanted.map((_, n) => {
    if (!answer || answer.status >= 500 || answer.status === 429) return undefined;
    if (answer.status === 200) return answer.body.data.results[n].status === 'created';
    if (answer.status === 409 && answer.body.error.code === 'idempotency_conflict') return undefined;
    return answer.status === 201;
  });

/** What holds of the contacts of an account at any time, by its name. */
export const contactRules: Readonly<Record<string, (contacts: ContactFacts) => readonly string[]>> = {
  'an address is one contact': ({ kept }) => [
    ...repeated(kept.flatMap(({ email }) => (email === null ? [] : [foldEmail(email)]))),
    ...repeated(kept.flatMap(({ phone }) => phone ?? [])),
  ],
  'contacts, their addresses and their rows in lists agree': ({ expected, there }) => [
    ...expected.filter((one) => !there.includes(one)).map((one) => `${one} is missing`),
    ...there.filter((one) => !expected.includes(one)).map((one) => `${one} is left`),
  ],
  'contacts are counted by status': ({ kept, counted }) =>
    contactStatuses.flatMap((status) => {
      const there = kept.filter((each) => each.status === status).length;
      return counted.get(status) === there ? [] : [`${status}: ${counted.get(status)} counted, ${there} there`];
    }),
};

export const contactInvariants: readonly Invariant[] = [
  ...Object.entries(contactRules).map(([name, broken]) => ({
    name,
    violations: ofAccounts(({ contacts }) => broken(contacts)),
  })),
  {
    name: 'a contact is created once, if its request says so',
    violations: (judged) =>
      (judged.clerks?.filings ?? []).flatMap((filing) => {
        const { kept, retired } = contactsOf(judged, filing.account);
        const made = [...kept, ...retired].map(({ customFields }) => JSON.parse(customFields.text));
        return outcomesOf(filing).flatMap((outcome, row) => {
          const count = made.filter((fields) => fields.filing === filing.id && fields.row === row).length;
          const isRight = outcome === undefined ? count <= 1 : count === Number(outcome);
          return isRight ? [] : [`${filing.id} row ${row}: ${count} contacts, answered ${outcome}`];
        });
      }),
  },
  {
    name: 'a contact is as it was last asked to be',
    violations: (judged) =>
      (judged.clerks?.records ?? []).flatMap((record) => {
        const { kept, retired } = contactsOf(judged, record.account);
        const possible = possibleOf(record);
        const contact = kept.find(({ id }) => id === record.id);
        const isRight = contact
          ? possible.some((one) => one !== 'retired' && isLike(contact, one))
          : possible.includes('retired') && retired.some(({ id }) => id === record.id);
        return isRight ? [] : [`${record.id}: ${JSON.stringify(contact)} is none of ${JSON.stringify(possible)}`];
      }),
  },
  {
    name: 'an address that is not to be written to gets no mail',
    violations: ({ messaging: { asked, mails }, clerks }) =>
      (clerks?.blocks ?? []).flatMap(({ account, email, fromMs, toMs = Number.POSITIVE_INFINITY }) =>
        asked
          .filter((one) => one.account === account && foldEmail(one.to) === foldEmail(email) && one.atMs > fromMs)
          .filter(({ answers }) => {
            const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
            return mails.some(({ message, atMs }) => ids.includes(message) && atMs < toMs);
          })
          .map(({ id }) => `${id} wrote to ${email}`),
      ),
  },
];
