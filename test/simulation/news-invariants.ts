import { foldEmail } from '../../shared/contacts/search.ts';
import type { ContactFacts } from './contact-facts.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';

type MessageFact = AccountFacts['messages'][number];
type ContactFact = ContactFacts['kept'][number];

/** What may be told of a message that was sent, and the status it has then: first what ends it, then how far it came. */
const statusesTold = [
  ['Bounce', 'bounced'],
  ['Complaint', 'complained'],
  ['failed', 'failed'],
  ['Click', 'clicked'],
  ['Open', 'opened'],
  ['Delivery', 'delivered'],
  ['delivered', 'delivered'],
] as const;

/** What each status adds to the score of its contact, by the decisions. */
const scores: Readonly<Record<string, number>> = {
  ...{ delivered: 1, opened: 5, clicked: 10, read: 5 },
  ...{ bounced: -25, complained: -50 },
};
const firstScore = 50;

/** Of a text that was sent twice, only the first is reported. */
const toldOf = ({ message }: MessageFact, { messaging }: Judged): readonly string[] | undefined =>
  messaging.news.find((news) => news.message === message.id)?.told;

const statusesAfter = (told: readonly string[]) =>
  statusesTold.flatMap(([news, status]) => (told.includes(news) ? [status] : []));

/** What makes a contact, and what changes it after news of its messages. */
const makers = /^(spared|messages|chores|contacts\/create|callbacks\/receive-(ses-notification|sms-report))/;

/** A contact that nothing has changed but what was told of its messages, and those. One before it may have had its address. */
const toldOnly = (judged: Judged) =>
  judged.facts.flatMap(({ account, contacts, messages }) =>
    contacts.kept.flatMap((contact) => {
      const { changes } = judged.world;
      const own = changes.filter(({ after }) => after?.['entity'] === 'contact' && after['SK'] === contact.id);
      const sent = messages.filter(({ message: { to } }) => isOf(contact, to ?? ''));
      return own.every(({ by = '' }) => makers.test(by)) &&
        sent.every(({ message: { createdAt } }) => createdAt >= contact.createdAt) &&
        sent.length <= mostRemembered
        ? [{ account, contact, sent }]
        : [];
    }),
  );

/** A contact knows its last eight outcomes only, of which a message has three at most. */
const mostRemembered = 2;

const isOf = ({ email, phone }: ContactFact, to: string): boolean =>
  to === phone || foldEmail(to) === foldEmail(email ?? '');

const sumOf = (statuses: readonly string[]): number =>
  statuses.reduce((sum, status) => sum + (scores[status] ?? 0), firstScore);

export const newsInvariants: readonly Invariant[] = [
  {
    name: 'a message is what SES or its gateway reports of it, in any order',
    violations: (judged) =>
      judged.facts
        .flatMap(({ messages }) => messages)
        .flatMap((fact) => {
          const told = toldOf(fact, judged);
          const { status, id } = fact.message;
          // Its recipient has unsubscribed by it.
          if (told === undefined || status === 'unsubscribed') return [];
          const [expected = 'sent'] = statusesAfter(told);
          return status === expected ? [] : [`${fact.request} (${id}) is ${status}, and should be ${expected}`];
        }),
  },
  {
    name: 'a contact is what is told of its messages',
    violations: (judged) =>
      toldOnly(judged).flatMap(({ contact, sent }) => {
        const all = sent.flatMap(({ message: { status } }) => status);
        const [expected = 'active'] = (['complained', 'unsubscribed', 'bounced'] as const).filter((one) =>
          all.includes(one),
        );
        return contact.status === expected ? [] : [`${contact.id} is ${contact.status}, and should be ${expected}`];
      }),
  },
  {
    name: 'the score of a contact counts each outcome once',
    violations: (judged) =>
      toldOnly(judged).flatMap(({ contact, sent }) => {
        const told = sent.flatMap((fact) => statusesAfter(toldOf(fact, judged) ?? []));
        const last = sent.map(({ message: { status } }) => status);
        // One that came after a later one may count or not. At zero, it depends on their order.
        const sums = [sumOf(last), sumOf(told)];
        const [least, most] = [Math.min(...sums), Math.max(...sums)];
        return least <= 0 || (contact.score >= least && contact.score <= most)
          ? []
          : [`${contact.id} has ${contact.score}, and ${told.join()} were told of ${last.join()}`];
      }),
  },
];
