/** Ten times the largest that a gateway sends. */
const mostCharacters = 65_536;

/**
 * The fields of a form in the body of a request; of those with the same name the last. What cannot be decoded becomes replacement characters. A
 * larger body has none: Node 24 needs time by the square of the number of fields without `=`, which is seconds for a megabyte of them.
 */
export const formFields = (body: string): Readonly<Record<string, string>> =>
  body.length > mostCharacters ? {} : Object.fromEntries(new URLSearchParams(body));
