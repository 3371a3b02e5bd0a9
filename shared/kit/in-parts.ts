/** Works on all, so many at a time. Returns the results in the order of what was worked on. */
export const inParts = async <One, Result>(
  all: readonly One[],
  atATime: number,
  work: (one: One) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < all.length; start += atATime)
    results.push(...(await Promise.all(all.slice(start, start + atATime).map(work))));
  return results;
};
