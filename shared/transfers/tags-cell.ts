import { jsonIn } from '../kit/json-in.ts';

/** Between the tags in a cell of a file. */
const inFiles = ';';

/** The tags of a list in JSON; undefined for any other text. */
const listIn = (text: string): readonly string[] | undefined => {
  const list = jsonIn(text);
  return Array.isArray(list) && list.every((tag) => typeof tag === 'string') ? list : undefined;
};

/** The tags in a cell: separated by semicolons, without the spaces around them, or a JSON array. */
export const tagsIn = (text: string, separator = inFiles): readonly string[] =>
  listIn(text) ?? text.split(separator).flatMap((tag) => tag.trim() || []);

/** A cell that `tagsIn` reads as these tags. */
export const tagsCell = (tags: readonly string[], separator = inFiles): string => {
  const plain = tags.join(separator);
  return JSON.stringify(tagsIn(plain, separator.trim())) === JSON.stringify(tags) ? plain : JSON.stringify(tags);
};
