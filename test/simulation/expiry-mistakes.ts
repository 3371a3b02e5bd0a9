import type { Mistake } from './mistake.ts';

const tooLate = 'no provider is given a text that has expired';
const tooEarly = 'a text ends as expired after its time only';

/** Mistakes with texts that may expire that the simulation must find. */
export const expiryMistakes: readonly Mistake[] = [
  {
    name: 'a text that has expired is given to its provider',
    file: 'functions/messages/send-text/call-provider.ts',
    find: 'return isExpired(claimed.message, clock()) ?',
    replace: 'return isExpired(claimed.message, 0) ?',
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
