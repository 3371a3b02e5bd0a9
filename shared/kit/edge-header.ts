/** The header in which CloudFront, where it stands before the API, proves that a request came through it. */
export const edgeHeader = 'X-Origin-Key';
