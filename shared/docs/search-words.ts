/** The words of a text, as the index has them and as a question is read. */
export const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_.]+/u)
    .filter(Boolean);
