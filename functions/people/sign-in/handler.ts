import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { BrowserAnswer } from '../../../shared/http/browser.ts';
import { sessionSeconds } from '../../../shared/people/secret.ts';
import { setCookie } from '../../../shared/people/session-cookie.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';

export interface SignInNeeds {
  readonly signIns: Pick<SignInStore, 'exchange'>;
}

/** Exchanges the link of a mail for a session. HEAD does not use it: programs look at links before people follow them. */
export const signIn =
  ({ signIns }: SignInNeeds) =>
  async (event: APIGatewayProxyEventV2, nowMs: number): Promise<BrowserAnswer> => {
    const { method, sourceIp: address, userAgent = '' } = event.requestContext.http;
    if (method === 'HEAD') return { status: 200 };
    const secret = await signIns.exchange(event.pathParameters?.['token'] ?? '', { address, userAgent }, nowMs);
    return secret === undefined
      ? { to: '/dashboard/sign-in?problem=expired' }
      : { to: '/dashboard', headers: { 'Set-Cookie': setCookie(secret, sessionSeconds) } };
  };
