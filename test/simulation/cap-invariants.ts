import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';

type MessageFact = AccountFacts['messages'][number];

const isGivenBack = ({ message: { price } }: MessageFact): boolean => price.credits === 0;

interface Texted {
  readonly contact: string;
  readonly texts: readonly MessageFact[];
  /** The times of texts that count for its frequency cap. */
  readonly slots: readonly unknown[];
}

/** For each contact of an account with a frequency cap, what it breaks. */
const ofContacts =
  (what: (texted: Texted, most: number) => string | false) =>
  ({ facts, world }: Judged): readonly string[] =>
    facts.flatMap(({ account: { ref, mostTexts }, messages }) => {
      if (mostTexts === undefined) return [];
      const texts = messages.filter(({ message }) => message.channel !== 'email');
      const caps = world.table.all().filter(({ PK }) => String(PK).startsWith(`A#${ref.id}#CAP#`));
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
    violations: ofContacts(({ texts }, most) => {
      const count = texts.filter((text) => !isGivenBack(text)).length;
      return count > most && `${count} texts, and ${most} at most`;
    }),
  },
  {
    name: 'a text that was not sent keeps no slot of the frequency cap',
    violations: ofContacts(({ texts, slots }) => {
      const count = texts.filter((text) => !isGivenBack(text)).length;
      return slots.length > count && `${slots.length} slots for ${count} texts`;
    }),
  },
];
