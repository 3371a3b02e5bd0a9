import type { Invariant, Judged } from './invariants.ts';
import type { KeyUse } from './key-holders.ts';

const ofUses =
  (what: (use: KeyUse, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    (judged.keyHolders?.uses ?? []).flatMap((use) => {
      const broken = what(use, judged);
      return broken === false ? [] : [`${use.asked.id} with key ${use.held.id}: ${broken}`];
    });

export const keyInvariants: readonly Invariant[] = [
  {
    name: 'a key that is revoked sends nothing',
    violations: ofUses(({ held, asked }, { facts }) => {
      const isGone = held.revocations.some(({ end }) => end?.isDone === true && end.atMs < asked.atMs);
      const isThere = facts.some(({ messages }) => messages.some(({ request }) => request === asked.id));
      return isGone && isThere && 'it was sent';
    }),
  },
  {
    name: 'a key works until it is revoked',
    violations: ofUses(
      ({ held, asked }) =>
        held.revocations.length === 0 && asked.answers.some(({ status }) => status === 401) && 'it was refused',
    ),
  },
];
