/** The access key id in a signed request's `Authorization` header. */
export const accessKeyIn = (authorization: string | undefined): string =>
  /Credential=([^/,\s]+)\//.exec(authorization ?? '')?.[1] ?? '';
