import { characters } from '../kit/text.ts';

export const longestReturnUrl = 2_048;
/** An absolute address without user info, blanks and control characters; its host stands in it, and not in a placeholder. */
const shape = /^https?:\/\/[^\s/?#\\@{]+(?:[/?#]\S*)?$/i;
const control = /\p{Cc}/u;

const isOnThisMachine = ({ hostname }: URL): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');

/** Where a merchant may have payers sent back to. Plain http is for trying things out on one's own machine. */
export const isReturnUrl = (text: string): boolean => {
  if (characters(text) > longestReturnUrl || !shape.test(text) || control.test(text) || !URL.canParse(text))
    return false;
  const url = new URL(text);
  return url.protocol === 'https:' || isOnThisMachine(url);
};

/** Whether a return address is for test keys only. */
export const isForTests = (returnUrl: string): boolean => new URL(returnUrl).protocol === 'http:';

export const hostOf = (returnUrl: string): string => new URL(returnUrl).host;
