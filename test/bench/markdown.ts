/** A table of rows; its columns are their fields. */
export const markdownOf = (rows: readonly object[]): string => {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cellsOf = (row: object): string[] => {
    const fields = new Map<string, unknown>(Object.entries(row));
    return heads.map((head) => String(fields.get(head) ?? ''));
  };
  return [heads, heads.map(() => '---'), ...rows.map(cellsOf)].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
};
