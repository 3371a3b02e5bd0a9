import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { BrowserAnswer } from '../../../shared/http/browser.ts';
import type { VisitKind } from '../../../shared/http/visit-kind.ts';
import { sessionSeconds } from '../../../shared/people/secret.ts';
import { cookieIn, setCookie } from '../../../shared/people/session-cookie.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';

export interface SignInNeeds {
  readonly signIns: Pick<SignInStore, 'exchange' | 'callerWithSession'>;
}

/**
 * Exchanges the link of a mail for a session. Programs look at links before people follow them: a HEAD, a prefetch or a preview does not use it.
 * A link that is over leads a person who is signed in to the dashboard all the same.
 */
export const signIn = ({ signIns }: SignInNeeds) => {
  const isSignedIn = async (event: APIGatewayProxyEventV2, nowMs: number): Promise<boolean> =>
    (await signIns.callerWithSession(cookieIn(event) ?? '', nowMs)) !== undefined;

  return async (event: APIGatewayProxyEventV2, nowMs: number, kind: VisitKind): Promise<BrowserAnswer> => {
    if (kind.isPrefetchOrHead || kind.isPreview) return { status: 200 };
    const { sourceIp: address, userAgent = '' } = event.requestContext.http;
    const secret = await signIns.exchange(event.pathParameters?.['token'] ?? '', { address, userAgent }, nowMs);
    if (secret !== undefined) return { to: '/dashboard', headers: { 'Set-Cookie': setCookie(secret, sessionSeconds) } };
    return { to: (await isSignedIn(event, nowMs)) ? '/dashboard' : '/dashboard/sign-in?problem=expired' };
  };
};
