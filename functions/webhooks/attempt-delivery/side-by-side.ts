/** Works on jobs in their order, this many at once, as long as it goes on; the first ones in any case. Returns the others. */
export const sideBySide = async <Job>(
  jobs: readonly Job[],
  atOnce: number,
  goesOn: () => boolean,
  work: (job: Job) => Promise<void>,
): Promise<readonly Job[]> => {
  const open = jobs.values();
  let begun = 0;
  const worker = async (): Promise<void> => {
    do {
      const { done, value } = open.next();
      if (done) return;
      begun += 1;
      await work(value);
    } while (goesOn());
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, worker));
  return jobs.slice(begun);
};
