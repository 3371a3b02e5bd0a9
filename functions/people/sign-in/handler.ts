import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { BrowserAnswer } from '../../../shared/http/browser.ts';
import type { VisitKind } from '../../../shared/http/visit-kind.ts';
import { sessionSeconds } from '../../../shared/people/secret.ts';
import { cookieIn, setCookie } from '../../../shared/people/session-cookie.ts';
import { signInPage } from '../../../shared/people/sign-in-page.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';

export interface SignInNeeds {
  readonly signIns: Pick<SignInStore, 'exchange' | 'callerWithSession' | 'findLink'>;
}

/**
 * Exchanges the link of a mail for a session. Programs look at links before people follow them: a doubtful visit gets a page with a button, which
 * makes the exchange. A link that is over leads a person who is signed in to the dashboard all the same. No page can make a person who is signed
 * in another person, who would then read what they enter: nor can one of ours, because the checkout goes on to where a merchant wants.
 */
export const signIn = ({ signIns }: SignInNeeds) => {
  const signedIn = (event: APIGatewayProxyEventV2, nowMs: number) =>
    signIns.callerWithSession(cookieIn(event) ?? '', nowMs);

  const wouldReplace = async (event: APIGatewayProxyEventV2, token: string, nowMs: number): Promise<boolean> => {
    if (['none', undefined].includes(event.headers['sec-fetch-site'])) return false;
    const [caller, link] = await Promise.all([signedIn(event, nowMs), signIns.findLink(token, nowMs)]);
    return caller !== undefined && link !== undefined && caller.person !== link.person;
  };

  /** A program cannot use up the link of the local stack. */
  const isForPerson = async (
    token: string,
    nowMs: number,
    { isPrefetchOrHead, isDoubtful }: VisitKind,
  ): Promise<boolean> =>
    isDoubtful && (isPrefetchOrHead || (await signIns.findLink(token, nowMs))?.isReusable !== true);

  return async (event: APIGatewayProxyEventV2, nowMs: number, kind: VisitKind): Promise<BrowserAnswer> => {
    const token = event.pathParameters?.['token'] ?? '';
    if (await wouldReplace(event, token, nowMs)) return { to: '/dashboard/sign-in?problem=other' };
    if (await isForPerson(token, nowMs, kind)) return { page: signInPage };
    const { sourceIp: address, userAgent = '' } = event.requestContext.http;
    const secret = await signIns.exchange(token, { address, userAgent }, nowMs);
    if (secret !== undefined) return { to: '/dashboard', headers: { 'Set-Cookie': setCookie(secret, sessionSeconds) } };
    return { to: (await signedIn(event, nowMs)) ? '/dashboard' : '/dashboard/sign-in?problem=expired' };
  };
};
