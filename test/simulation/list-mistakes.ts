import type { Mistake } from './mistake.ts';

const listed = 'every message is in the lists that ask for it, once, newest first';
const final = 'every message reaches a final status';

/** Mistakes with accounts that are spread or have slow senders that the simulation must find. */
export const listMistakes: readonly Mistake[] = [
  {
    name: 'a list reads as many shards as there were first',
    file: 'shared/messages/spread.ts',
    find: '    .map(({ shards, ...start }, n) => ({\n      shards,',
    replace: '    .map(({ shards: _, ...start }, n) => ({\n      shards: spread[0]?.shards,',
    breaks: [listed],
  },
  {
    name: 'a text that has lost its turn gets no other',
    file: 'functions/messages/send-text/take-turns.ts',
    find: 'jobs.filter((job) => !holds(job))];',
    replace: 'jobs.filter((job) => job.turnMs === undefined)];',
    breaks: [final],
  },
];
