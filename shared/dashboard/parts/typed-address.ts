import { inLatin } from './amount.ts';

/** How people write a phone number of Bangladesh, and of elsewhere, and what comes before the rest of it. */
const spoken = [
  [/^\+(\d+)$/, '+'],
  [/^00(\d+)$/, '+'],
  [/^(8801\d{9})$/, '+'],
  [/^(01\d{9})$/, '+88'],
  [/^(1\d{9})$/, '+880'],
] as const;

/** The number in E.164 format of a text that is one, with its spaces and in digits of Bangla too; any other text as it is. */
export const addressIn = (text: string): string => {
  const digits = inLatin(text).replace(/[\s().-]/g, '');
  const [found] = spoken.flatMap(
    ([shape, before]) =>
      shape
        .exec(digits)
        ?.slice(1)
        .map((rest) => before + rest) ?? [],
  );
  return found ?? text;
};
