import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';

type MessageFact = AccountFacts['messages'][number];

/** A whatsapp message has no price: it is given back if it failed before Meta took it. */
const isGivenBack = ({ message }: MessageFact, { messaging }: Judged): boolean =>
  message.channel === 'whatsapp'
    ? message.status === 'failed' && messaging.texts.every((text) => text.message !== message.id)
    : message.price.credits === 0;

interface Texted {
  readonly contact: string;
  /** Those that were not given back. */
  readonly texts: readonly MessageFact[];
  /** The times of texts that count for its frequency cap. */
  readonly slots: readonly unknown[];
}

/** For each contact of an account with a frequency cap, what it breaks. */
const ofContacts =
  (what: (texted: Texted, most: number) => string | false) =>
  (judged: Judged): readonly string[] =>
    judged.facts.flatMap(({ account: { ref, mostTexts }, messages }) => {
      if (mostTexts === undefined) return [];
      const texts = messages.filter((fact) => fact.message.channel !== 'email' && !isGivenBack(fact, judged));
      const caps = judged.world.table.all().filter(({ PK }) => String(PK).startsWith(`A#${ref.id}#CAP#`));
      return caps.flatMap(({ PK, times }) => {
        const contact = String(PK).split('#').at(-1) ?? '';
        const own = texts.filter(({ message }) => message.contactId === contact);
        const broken = what({ contact, texts: own, slots: Array.isArray(times) ? times : [] }, mostTexts);
        return broken === false ? [] : [`contact ${contact} of ${ref.id}: ${broken}`];
      });
    });

export const capInvariants: readonly Invariant[] = [
  {
    name: 'no contact gets more texts than its frequency cap',
    violations: ofContacts(({ texts }, most) => texts.length > most && `${texts.length} texts, and ${most} at most`),
  },
  {
    name: 'a text that was not sent keeps no slot of the frequency cap',
    violations: ofContacts(
      ({ texts, slots }) => slots.length > texts.length && `${slots.length} slots for ${texts.length} texts`,
    ),
  },
];
