import type { Mistake } from './mistake.ts';

const listed = 'every message is in the lists that ask for it, once, newest first';

/** Mistakes with accounts that are spread or have slow senders that the simulation must find. */
export const listMistakes: readonly Mistake[] = [
  {
    name: 'a list reads as many shards as there were first',
    file: 'shared/messages/spread.ts',
    find: '    .map(({ shards, ...start }, n) => ({\n      shards,',
    replace: '    .map(({ shards: _, ...start }, n) => ({\n      shards: spread[0]?.shards,',
    breaks: [listed],
  },
];
