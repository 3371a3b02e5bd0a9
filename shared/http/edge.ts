import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { edgeHeader } from '../kit/edge-header.ts';
import { isSameText } from '../kit/same-text.ts';

// A deployment may have an edge before its API: CloudFront with a firewall. Only the edge knows its key, which it sends with each request.

export interface Edge {
  readonly key: string;
  /** The host that clients ask; API Gateway is asked by its own name. */
  readonly host: string;
  /** What goes around the edge is refused. Without this, it is taken as if there were no edge. */
  readonly isOnlyWay: boolean;
}

/** The edge of this deployment, if it has one. */
export const edgeIn = (environment: Readonly<Record<string, string | undefined>>): Edge | undefined => {
  const { EDGE_KEY: key, EDGE_HOST: host, EDGE_ONLY: only } = environment;
  return key && host ? { key, host, isOnlyWay: only === 'on' } : undefined;
};

type Sent = Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>;

/** CloudFront and API Gateway each add the address that asks them, so the client's is the last but one. */
const clientIn = ({ headers, requestContext }: Sent): string => {
  const { sourceIp } = requestContext.http;
  const addresses = (headers['x-forwarded-for'] ?? '').split(',').map((address) => address.trim());
  if (addresses.at(-1) === sourceIp) addresses.pop();
  return addresses.at(-1) || sourceIp;
};

/** The request as it would be without the edge: with the address of the client and the host that it asked. Undefined for a request that may not go around the edge. */
export const withoutEdge = <Event extends Sent>(event: Event, edge: Edge): Event | undefined => {
  const { [edgeHeader.toLowerCase()]: key = '', ...headers } = event.headers;
  if (!isSameText(key, edge.key)) return edge.isOnlyWay ? undefined : event;
  const { requestContext } = event;
  const http = { ...requestContext.http, sourceIp: clientIn(event) };
  return { ...event, headers: { ...headers, host: edge.host }, requestContext: { ...requestContext, http } };
};
