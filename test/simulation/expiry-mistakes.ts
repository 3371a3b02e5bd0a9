import type { Mistake } from './mistake.ts';

const tooLate = 'no provider is given a text that has expired';
const tooEarly = 'a text ends as expired after its time only';

/** Mistakes with texts that may expire that the simulation must find. */
export const expiryMistakes: readonly Mistake[] = [
  {
    name: 'a text that has expired is given to its provider',
    file: 'functions/messages/send-text/ended-by.ts',
    find: 'if (isExpired(message, nowMs)) return failures.expired;',
    replace: 'if (isExpired(message, 0)) return failures.expired;',
    breaks: [tooLate],
  },
  {
    name: 'a scheduled text that gets another time expires when it would have before',
    file: 'shared/table/messages/scheduled-store.ts',
    find: "':expires': expiresMs + laterByMs",
    replace: "':expires': expiresMs + 0 * laterByMs",
    breaks: [tooEarly],
  },
];
