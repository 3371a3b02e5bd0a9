/** The languages of pages; the first is the default. */
export const languages = ['en', 'bn'] as const;
export type Language = (typeof languages)[number];

export const languageNamed = (name: string | undefined): Language | undefined =>
  languages.find((language) => language === name);

/** The best of our languages for a reader (RFC 9110, section 12.5.4). A range such as `bn-BD` includes `bn`. */
export const preferredLanguage = (acceptLanguage: string): Language => {
  const wishes = acceptLanguage.split(',').map((wish) => {
    const [range = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { language: languageNamed(range.split('-')[0]), quality: Number(quality) };
  });
  const liked = wishes.filter(({ language, quality }) => language && quality > 0);
  return liked.toSorted((a, b) => b.quality - a.quality)[0]?.language ?? languages[0];
};
