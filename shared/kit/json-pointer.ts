interface Source {
  readonly source: string;
}

const asWritten = (_key: string, value: unknown, context?: Source): unknown =>
  typeof value === 'number' ? (context?.source ?? value) : value;

/** A document of somebody else's, with its numbers as they were written: ids may have more digits than a number holds. Undefined when it is no JSON. */
export const parseForeign = (text: string): unknown => {
  try {
    return JSON.parse(text, asWritten);
  } catch {
    return undefined;
  }
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.prototype.propertyIsEnumerable.call(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** The text, number or truth value that a JSON pointer (RFC 6901) names in a document, as text; undefined where there is none. */
export const textAt = (document: unknown, pointer: string): string | undefined => {
  const names = pointer.split('/').slice(1);
  const value = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).reduce(memberOf, document);
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
};

/** Which values at which place mean something. */
export interface Sign {
  readonly at: string;
  readonly isOneOf: readonly string[];
}

/** Whether the document has one of the sign's values at its place; letter case and blanks around it play no part. */
export const hasSign = (document: unknown, { at, isOneOf }: Sign): boolean => {
  const found = textAt(document, at)?.trim().toLowerCase();
  return found !== undefined && isOneOf.some((value) => value.trim().toLowerCase() === found);
};
