export const sessionCookie = '__Host-session';

/** The header that gives a browser the secret of its session, for so long; 0 takes it away. */
export const setCookie = (secret: string, seconds: number): string =>
  `${sessionCookie}=${secret}; Max-Age=${seconds}; Path=/; Secure; HttpOnly; SameSite=Lax`;

/** The secret of the session that a browser sent. */
export const cookieIn = ({ cookies = [] }: { readonly cookies?: readonly string[] | undefined }): string | undefined =>
  cookies.find((cookie) => cookie.startsWith(`${sessionCookie}=`))?.slice(sessionCookie.length + 1);
