import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * Whether a page of ours made a browser send this. Another site can make it send the same, with its cookies; browsers say where a request
 * comes from. Undefined: nothing was said, as by a script.
 */
export const isFromOwnPage = ({ headers }: Pick<APIGatewayProxyEventV2, 'headers'>): boolean | undefined => {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return undefined;
  return URL.canParse(origin) && new URL(origin).host === host;
};
