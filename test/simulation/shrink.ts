import type { Result, Wishes } from './simulate.ts';

/** What of a seed is left out, one by one or in halves, as long as the same invariant does not hold. */
export const shrunk = async (
  run: (seed: number, wishes: Wishes) => Promise<Result>,
  found: Result,
  wishes: Wishes,
): Promise<{ readonly result: Result; readonly without: ReadonlySet<string> }> => {
  const [first] = found.broken;
  let [result, without]: [Result, ReadonlySet<string>] = [found, new Set()];

  /** Leaves these out for good, if it breaks all the same. */
  const tryWithout = async (some: readonly string[]): Promise<boolean> => {
    const wider = new Set([...without, ...some]);
    const next = await run(found.seed, { ...wishes, without: wider });
    if (!next.broken.some(({ invariant }) => invariant === first?.invariant)) return false;
    [result, without] = [next, wider];
    return true;
  };

  const leaveOut = async (some: readonly string[]): Promise<void> => {
    if (some.length === 0 || (await tryWithout(some)) || some.length === 1) return;
    const half = some.length >> 1;
    await leaveOut(some.slice(0, half));
    await leaveOut(some.slice(half));
  };

  await leaveOut(found.operations);
  // Without some faults, others happen instead, later.
  for (let before = -1; before !== without.size; ) {
    before = without.size;
    await leaveOut(result.faults);
  }
  return { result, without };
};
