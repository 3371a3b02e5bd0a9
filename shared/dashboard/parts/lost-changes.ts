import { lostAnswer, type Problem, problemOf } from '../apis.ts';
import { type Store, storeOf } from './store.ts';

/** How many changes were sent and not answered. They may have been made, so what is on the screen is read again after each. */
export const lostChanges: Store<number> = storeOf(0);

export const mayBeDone = 'What you asked for may have been done: check before you ask for it again.';

/** Takes note of a change that failed. Returns what went wrong, for the person. */
export const problemOfChange = (thrown: unknown): Problem => {
  const lost = lostAnswer(thrown, mayBeDone);
  if (lost) lostChanges.set(lostChanges.get() + 1);
  return problemOf(lost ?? thrown);
};
