/** Which items are held, and by how many. */
export const openHolds = () => {
  const counts = new Map<string, number>();
  const add = (id: string, change: number): void => {
    const count = (counts.get(id) ?? 0) + change;
    if (count > 0) counts.set(id, count);
    else counts.delete(id);
  };
  return {
    among: (ids: readonly string[]): readonly boolean[] => ids.map((id) => counts.has(id)),
    during: async <Result>(ids: readonly string[], work: () => Promise<Result>): Promise<Result> => {
      for (const id of ids) add(id, 1);
      try {
        return await work();
      } finally {
        for (const id of ids) add(id, -1);
      }
    },
  };
};
