/** One row of what is paid for. */
export interface LineItem {
  readonly name: string;
  readonly quantity: number;
  readonly unitAmountMinor: number;
  /** Kept and returned. The page does not load it: a payer's browser calls no host of the merchant's choice. */
  readonly imageUrl?: string | undefined;
}

/** The texts of a session lie in one item of the table, and an item holds 400 KB. */
export const mostLineItems = { count: 100, nameCharacters: 255, quantity: 1_000_000, bytes: 100_000 } as const;

/** Exact, also beyond the integers that a number has. */
export const addUpTo = (items: readonly LineItem[], amountMinor: number): boolean =>
  items.reduce((sum, { quantity, unitAmountMinor }) => sum + BigInt(quantity) * BigInt(unitAmountMinor), 0n) ===
  BigInt(amountMinor);

/** An absolute https URL. */
export const isImageUrl = (text: string): boolean =>
  text.length <= 2_048 && /^https:\/\/[^\s/?#\\@]+([/?#]\S*)?$/i.test(text) && URL.canParse(text);
