import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

type Sent = Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>;

/** The bytes of a body. API Gateway passes on text as it is, and all else in base64. */
export const bodyBytes = ({ body = '', isBase64Encoded }: Sent): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

/**
 * The text of a body; undefined when it is not valid UTF-8. API Gateway passes on the bytes of most types. For the few that it decodes itself,
 * including JSON, its replacements cannot be detected.
 */
export const bodyText = ({ body = '', isBase64Encoded }: Sent): string | undefined => {
  if (!isBase64Encoded) return body.isWellFormed() ? body : undefined;
  const bytes = bodyBytes({ body, isBase64Encoded });
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
};

/** Whether the percent-encoded bytes in a query string or a form are valid UTF-8. */
export const isPercentEncodedUtf8 = (text: string): boolean =>
  (text.match(/(?:%[0-9a-f]{2})+/gi) ?? []).every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')));

/** The path to half of a surrogate pair in a parsed value; undefined when there is none. */
export const loneSurrogateIn = (value: unknown): readonly string[] | undefined => {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    // Such a name cannot be shown, so the message names its object.
    if (!name.isWellFormed()) return [];
    const rest = loneSurrogateIn(part);
    if (rest) return [name, ...rest];
  }
  return undefined;
};
