import type { Mistake } from './mistake.ts';

const tooEarly = 'a text of quiet hours is given to its provider after them';
const lost = 'quiet hours refuse what is to be sent in them only, and end no text';

/** Mistakes with quiet hours that the simulation must find. */
export const quietMistakes: readonly Mistake[] = [
  {
    name: 'quiet hours block no text',
    file: 'shared/compliance/gate.ts',
    find: 'freeAtMs !== undefined && freeAtMs > nowMs ?',
    replace: "freeAtMs !== undefined && freeAtMs > nowMs && !reason.startsWith('Quiet') ?",
    breaks: [tooEarly],
  },
  {
    name: 'a scheduled text is refused in the quiet hours in which it is asked for',
    file: 'shared/compliance/gate.ts',
    find: '!(isOfItsTime && facts.isAhead)',
    replace: "!(isOfItsTime && facts.isAhead && rule.name !== 'quiet-hours')",
    breaks: [lost],
  },
  {
    name: 'a scheduled text ends in quiet hours',
    file: 'functions/messages/send-scheduled/send-due.ts',
    find: "if (by !== 'quiet-hours' || retryAtMs === undefined)",
    replace: "if (by !== 'frequency-cap' || retryAtMs === undefined)",
    breaks: [lost],
  },
];
