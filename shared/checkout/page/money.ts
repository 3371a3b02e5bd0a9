import type { Language } from '../../kit/language.ts';

/** Both group as Bangladesh does, by lakh and crore, and put the sign in front; the second writes Bangla digits. */
const locales = { en: 'en-IN', bn: 'en-IN-u-nu-beng' } as const satisfies Record<Language, string>;

/** An amount as its readers write it: ৳1,23,456.78, ৳১,২৩,৪৫৬.৭৮. */
export const amountText = (language: Language, amountMinor: number, currency: string): string => {
  const format = new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const { maximumFractionDigits = 0 } = format.resolvedOptions();
  return format.format(amountMinor / 10 ** maximumFractionDigits);
};

/** A number as its readers write it. */
export const countText = (language: Language, count: number): string =>
  new Intl.NumberFormat(locales[language]).format(count);

const dateLocales = { en: 'en-GB', bn: 'bn-BD' } as const satisfies Record<Language, string>;

/** A date and time. The reader's time zone is unknown, so it is Bangladesh's time and says so. */
export const timeText = (language: Language, timeMs: number): string =>
  new Intl.DateTimeFormat(dateLocales[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'Asia/Dhaka',
    timeZoneName: 'short',
  }).format(timeMs);
