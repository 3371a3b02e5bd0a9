interface Source {
  readonly source: string;
}

const asWritten = (_key: string, value: unknown, context?: Source): unknown =>
  typeof value === 'number' ? (context?.source ?? value) : value;

/**
 * Parses foreign JSON and keeps numbers as written, because ids may exceed a number's precision. Some servers begin it with a byte order mark
 * (RFC 8259, section 8.1). Undefined when it is not JSON.
 */
export const parseForeign = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''), asWritten);
  } catch {
    return undefined;
  }
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** The string, number or boolean at a JSON pointer (RFC 6901), as text; undefined for anything else. */
export const textAt = (document: unknown, pointer: string): string | undefined => {
  const names = pointer.split('/').slice(1);
  const value = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).reduce(memberOf, document);
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
};

/** The values at a pointer that are a sign. */
export interface Sign {
  readonly at: string;
  readonly isOneOf: readonly string[];
}

/** Whether the document has one of the sign's values, ignoring case and surrounding spaces. */
export const hasSign = (document: unknown, { at, isOneOf }: Sign): boolean => {
  const found = textAt(document, at)?.trim().toLowerCase();
  return found !== undefined && isOneOf.some((value) => value.trim().toLowerCase() === found);
};
