/** One line of at most this many UTF-16 units, which no way of counting makes longer; no character is cut in two. */
export const shortText = (text: string, atMost: number): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, atMost)
    .replace(/[\ud800-\udbff]$/, '');
