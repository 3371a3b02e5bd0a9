import type { APIGatewayProxyEventV2 } from 'aws-lambda';

type Asked = Pick<APIGatewayProxyEventV2, 'headers'>;

/** The key or token in `Authorization` after one of these schemes, which are in lower case. */
export const credentialsIn = ({ headers }: Asked, schemes: readonly string[]): string | undefined => {
  const [, scheme = '', credentials] = /^(\w+)\s+(\S+)\s*$/.exec(headers['authorization'] ?? '') ?? [];
  return schemes.includes(scheme.toLowerCase()) ? credentials : undefined;
};

export const bearerToken = (asked: Asked): string | undefined => credentialsIn(asked, ['bearer']);
