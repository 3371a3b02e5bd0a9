import type { APIGatewayProxyEventV2 } from 'aws-lambda';

const reads = ['GET', 'HEAD'];

/** A request that changes nothing. */
export const isRead = ({ requestContext }: Pick<APIGatewayProxyEventV2, 'requestContext'>): boolean =>
  reads.includes(requestContext.http.method);
