import type { Found } from '../search-index.ts';
import { wordsIn } from '../search-words.ts';

const most = 12;

/** How well a text has a word: whole, as the beginning of one, inside one, or not at all. */
const worthOf = (text: string, word: string): number => {
  if (!text.includes(word)) return 0;
  const words = wordsIn(text);
  if (words.includes(word)) return 3;
  return words.some((each) => each.startsWith(word)) ? 2 : 1;
};

/** The sections that have every word of the question, the best first. A word in a title counts most. */
export const best = (index: readonly Found[], question: string): Found[] => {
  const asked = wordsIn(question);
  const scored = index.flatMap((found) => {
    const [title, page, , words, alsoCalled = ''] = found;
    const scores = asked.map(
      (word) =>
        10 * Math.max(worthOf(title.toLowerCase(), word), worthOf(alsoCalled, word)) +
        3 * worthOf(page.toLowerCase(), word) +
        worthOf(words.toLowerCase(), word),
    );
    const isHit = asked.length > 0 && scores.every((score) => score > 0);
    // Of equals, a page comes before its sections.
    const total = scores.reduce((sum, score) => sum + score, page ? 0 : 2);
    return isHit ? [{ found, total }] : [];
  });
  return scored
    .toSorted((one, other) => other.total - one.total)
    .slice(0, most)
    .map(({ found }) => found);
};
