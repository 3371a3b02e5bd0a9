/** How many letters have to be inserted, removed or replaced, in any case (Levenshtein). */
export const distance = (a: string, b: string): number => {
  const [from, to] = [a.toUpperCase(), b.toUpperCase()];
  let above = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (const [row, letter] of [...from].entries()) {
    const line = [row + 1];
    for (const [n, other] of [...to].entries()) {
      const replaced = (above[n] ?? 0) + (letter === other ? 0 : 1);
      line.push(Math.min(replaced, (above[n + 1] ?? 0) + 1, (line[n] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
};

/** The names, those first that are most like this one. */
export const byDistance = (name: string, names: readonly string[]): readonly string[] =>
  names.toSorted((a, b) => distance(name, a) - distance(name, b));
