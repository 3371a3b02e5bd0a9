import { endOfString, steps } from './json-text.ts';

// What is refused in a caller's JSON, judged on its text before or beside its parsing.

export const maximumDepth = 64;

/** The position after this mark, or after the string that begins here. A string of 9 MB is one step: mark by mark it takes a tenth of a second. */
const after = (text: string, at: number): number =>
  text.charAt(at) === '"' ? endOfString(text, at) || text.length : at + 1;

/** Counted on the text, in one pass, because walking a hostile value could exhaust the stack. */
export const isDeeperThan = (levels: number, text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= levels; at = after(text, at)) depth += steps[text.charAt(at)] ?? 0;
  return depth > levels;
};

/** More than the largest valid body has; each one that is wrong becomes a fault of a few hundred bytes. */
export const mostValues = 300_000;

/** Counted by the commas between them, on the text, as its depth is. */
export const hasMoreValuesThan = (most: number, text: string): boolean => {
  let values = text.length > most ? 1 : 0;
  for (let at = 0; at < text.length && values > 0 && values <= most; at = after(text, at))
    if (text.charAt(at) === ',') values += 1;
  return values > most;
};

export const noLoneSurrogate = 'must not contain half of a surrogate pair (an unpaired \\ud800 to \\udfff)';

/** Escaped surrogates in JSON: a pair, half of one, and any other escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(?<half>\\u[dD][89a-fA-F][\da-fA-F]{2})|\\./g;

/** Whether JSON contains half of a surrogate pair. In well-formed text only an escape can produce one. */
export const hasLoneSurrogate = (json: string): boolean =>
  /\\u[dD][89a-fA-F]/.test(json) && json.matchAll(escapes).some(({ groups }) => groups?.['half'] !== undefined);
