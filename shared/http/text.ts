import * as z from 'zod';

/** Length in characters as people count them: a surrogate pair is one. */
export const characters = (text: string): number => {
  let pairs = 0;
  for (let i = 0; i < text.length; i += 1) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) pairs += 1;
  return text.length - pairs;
};

/** Text of at most this many characters. */
export const text = ({ atMost }: { readonly atMost: number }) =>
  z
    .string()
    .refine((value) => value.length <= atMost || characters(value) <= atMost, `must be at most ${atMost} characters`);

/** Text that becomes part of a mail's header: line breaks and NUL would end the header and begin another. */
export const headerText = (limit: { readonly atMost: number }) =>
  text(limit).refine((value) => !/[\r\n\0]/.test(value), 'must not have line breaks');
