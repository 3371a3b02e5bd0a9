/** How a merchant's page and receipts look. */
export interface Branding {
  /** Our copy of the merchant's logo. */
  readonly logoId: string | null;
  /** `#rrggbb`. */
  readonly color: string | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  /** What the payer's bank statement shows. */
  readonly statementName: string | null;
}

export const noBranding: Branding = {
  logoId: null,
  color: null,
  supportEmail: null,
  supportPhone: null,
  statementName: null,
};

export const logoPath = (id: string): string => `/checkout/logos/${id}`;

/** Relative luminance (WCAG 2.2). */
const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
export const contrastOf = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** Black or white, whichever is easier to read on this colour: a contrast of 4.5 at least. */
export const inkOn = (color: string): '#000000' | '#ffffff' =>
  contrastOf(color, '#ffffff') >= contrastOf(color, '#000000') ? '#ffffff' : '#000000';
