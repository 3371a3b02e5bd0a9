import { lostAnswer, noAnswer, type Problem, problemOf } from '../apis.ts';
import { type Store, storeOf } from './store.ts';

/** How many changes the screen does not know: those without an answer may have been made. What it shows is read again after each. */
export const lostChanges: Store<number> = storeOf(0);

export const noteLostChange = (): void => lostChanges.set(lostChanges.get() + 1);

const mayBeDone = 'What you asked for may have been done: check before you ask for it again.';

/** Of a change that may still be answered. */
export const unanswered: Problem = { ...noAnswer, message: `${noAnswer.message} ${mayBeDone}` };

/** Takes note of a change that failed. Returns what went wrong, for the person. */
export const problemOfChange = (thrown: unknown): Problem => {
  const lost = lostAnswer(thrown, mayBeDone);
  if (lost) noteLostChange();
  return problemOf(lost ?? thrown);
};
