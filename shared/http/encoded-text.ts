import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

type Sent = Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>;

/**
 * The text of a body; undefined when it is not valid UTF-8. API Gateway passes on the bytes of most types. Of the few that it makes text itself,
 * JSON among them, what it has replaced cannot be seen any more.
 */
export const bodyText = ({ body = '', isBase64Encoded }: Sent): string | undefined => {
  if (!isBase64Encoded) return body.isWellFormed() ? body : undefined;
  const bytes = Buffer.from(body, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
};

/** Whether the percent-encoded bytes in a query string or a form are valid UTF-8. */
export const isPercentEncodedUtf8 = (text: string): boolean =>
  (text.match(/(?:%[0-9a-f]{2})+/gi) ?? []).every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')));

/** Surrogates in JSON by their escapes: a pair, half of one, and whatever else a backslash begins. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(?<half>\\u[dD][89a-fA-F][\da-fA-F]{2})|\\./g;

/** Whether JSON has half of a surrogate pair. In text that is well-formed itself, only an escape can make one. */
export const hasLoneSurrogate = (json: string): boolean =>
  /\\u[dD][89a-fA-F]/.test(json) && json.matchAll(escapes).some(({ groups }) => groups?.['half'] !== undefined);

/** Where a value that was read from JSON has half of a surrogate pair, which is no text: the names on the way. Undefined: nowhere. */
export const loneSurrogateIn = (value: unknown): readonly string[] | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    // A name cannot be shown itself, so the object that has it is named.
    if (!name.isWellFormed()) return [];
    const rest = loneSurrogateIn(part);
    if (rest) return [name, ...rest];
  }
  return undefined;
};
