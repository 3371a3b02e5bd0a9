// The values of attributes that an item may be without.

export const optionalText = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

export const optionalNumber = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));
