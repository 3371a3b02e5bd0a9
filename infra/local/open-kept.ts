import { reasonOf } from './complaints.ts';
import { freshStart } from './fresh-start.ts';
import { StartFailure } from './start-failure.ts';

/**
 * Opens what a data directory keeps.
 * @throws StartFailure that begins with the problem and ends with the command that starts without the data
 */
export const openKept = <Kept>(dataDirectory: string, problem: string, open: () => Kept): Kept => {
  try {
    return open();
  } catch (cause) {
    throw new StartFailure(`${problem} (${reasonOf(cause)}): ${freshStart(dataDirectory)}`, { cause });
  }
};
