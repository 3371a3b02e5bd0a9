import type { Answer } from './client.ts';
import type { Judged } from './invariants.ts';
import { places } from './reader-places.ts';
import type { Read } from './readers.ts';

/** The function itself answered: it was not cut off. */
const isOwnAnswer = ({ headers }: Answer): boolean => headers['X-Request-Id'] !== undefined;

const wrongIn = ({ answer }: Read): string | false => {
  const { status, headers, body } = answer;
  if (status === 503 && isOwnAnswer(answer)) return headers['Retry-After'] === undefined && 'it does not say when';
  return ![200, 404, 503].includes(status) && `${status} ${JSON.stringify(body)}`;
};

/** Whether a run of a function met a fault: what it left under way can fail later runs of its instance too. */
const wasHindered = ({ world }: Judged, does: string): boolean =>
  world.machine.faultsMet.some((id) => id.startsWith(`${does}#`));

/** Reads that are not answered as they should be, and failures of functions that no fault was made for. */
export const unansweredIn = (judged: Judged): readonly string[] => {
  const reads = judged.readers?.reads ?? [];
  const wrong = reads.flatMap((read) => {
    const broken = wrongIn(read);
    return broken === false ? [] : [`${read.place} ${JSON.stringify({ ...read.path, ...read.query })}: ${broken}`];
  });
  const failed = Map.groupBy(
    reads.filter(({ answer }) => answer.status >= 500),
    ({ place }) => places[place].does,
  );
  const causeless = [...failed].flatMap(([does, all]) =>
    wasHindered(judged, does) ? [] : [`${all.length} reads by ${does} failed`],
  );
  return [...wrong, ...causeless];
};
