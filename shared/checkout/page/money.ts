import type { Language } from '../../kit/language.ts';
import { onceFor } from '../../kit/once-for.ts';

/** Both group as Bangladesh does, by lakh and crore, and put the sign in front; the second writes Bangla digits. */
const locales = { en: 'en-IN', bn: 'en-IN-u-nu-beng' } as const satisfies Record<Language, string>;

const formatsIn = (language: Language) =>
  onceFor(
    (currency) =>
      new Intl.NumberFormat(locales[language], { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
  );

/** Kept, because making one takes several times as long as writing an amount. */
const formats = { en: /* @__PURE__ */ formatsIn('en'), bn: /* @__PURE__ */ formatsIn('bn') };

/** An amount as its readers write it: ৳1,23,456.78, ৳১,২৩,৪৫৬.৭৮. */
export const amountText = (language: Language, amountMinor: number, currency: string): string => {
  const format = formats[language](currency);
  const { maximumFractionDigits = 0 } = format.resolvedOptions();
  return format.format(amountMinor / 10 ** maximumFractionDigits);
};

/** A number as its readers write it. */
export const countText = (language: Language, count: number): string =>
  new Intl.NumberFormat(locales[language]).format(count);

const zone = { timeZone: 'Asia/Dhaka' } as const;

const dateLocales = { en: 'en-GB', bn: 'bn-BD' } as const satisfies Record<Language, string>;

/** The parts of the day as Bangla names them, each with the hour at which it begins. */
const partsOfDay = [
  { fromHour: 0, name: 'রাত' },
  { fromHour: 4, name: 'ভোর' },
  { fromHour: 6, name: 'সকাল' },
  { fromHour: 12, name: 'দুপুর' },
  { fromHour: 15, name: 'বিকেল' },
  { fromHour: 18, name: 'সন্ধ্যা' },
  { fromHour: 20, name: 'রাত' },
] as const;

/** A time of day in Bangladesh, as it is spoken: 8:31 pm, রাত ৮:৩১. */
export const clockText = (language: Language, timeMs: number): string => {
  const format = new Intl.DateTimeFormat('en', { ...zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const [hour = 0, minute = 0] = format.format(timeMs).split(':').map(Number);
  const digits = new Intl.NumberFormat(locales[language], { minimumIntegerDigits: 2 });
  const clock = `${countText(language, hour % 12 || 12)}:${digits.format(minute)}`;
  if (language === 'en') return `${clock} ${hour < 12 ? 'am' : 'pm'}`;
  return `${partsOfDay.findLast(({ fromHour }) => hour >= fromHour)?.name} ${clock}`;
};

const zoneNames = { en: 'Bangladesh time', bn: 'বাংলাদেশ সময়' } as const satisfies Record<Language, string>;

/** A date and time. The reader's time zone is unknown, so it is Bangladesh's time and says so. */
export const timeText = (language: Language, timeMs: number): string => {
  const date = new Intl.DateTimeFormat(dateLocales[language], {
    ...zone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  return `${date.format(timeMs)}, ${clockText(language, timeMs)} (${zoneNames[language]})`;
};
