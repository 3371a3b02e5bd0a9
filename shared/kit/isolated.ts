/** The blocks of Unicode whose characters run from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1ef00}]/u;

/**
 * A text to put into a sentence. One with characters that run from right to left is between the marks of a first strong isolate (Unicode, UAX 9), so
 * that it reads in its own direction and turns nothing around that stands beside it.
 */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text);
