import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Fault } from '../kit/fault.ts';
import { formFields } from '../kit/form-fields.ts';
import { jsonIn } from '../kit/json-in.ts';
import { dayMinutes } from '../kit/time.ts';
import { personalEmail } from '../people/person.ts';
import type { LimitAddress } from './address-limit.ts';
import { tooOften } from './admission.ts';
import type { BrowserAnswer } from './browser.ts';
import { clientAt } from './client-address.ts';
import { bodyText } from './encoded-text.ts';
import { retryAfter } from './retry-after.ts';

interface Needs {
  readonly signIns: { ask(email: string, nowMs: number): Promise<void> };
  readonly rates: {
    count(subject: string, nowMs: number, counted?: { readonly windowMinutes: number }): Promise<number>;
  };
  readonly limit: LimitAddress;
}

/** Mails that one address gets in a minute, however often someone asks. */
const mostMails = 3;
/** Mails to one address that one client can cause in a day. Other clients can still ask for a link to that address. */
const mostMailsOfClient = 60;
export const asksOfAddress = { of: 'sign-in', perMinute: 30, step: 1 };

/** The answer is the same for every address, known or not, and takes as long: the mail is decided on later. */
export const askToSignIn =
  ({ signIns, rates, limit }: Needs) =>
  async (event: APIGatewayProxyEventV2, nowMs: number): Promise<BrowserAnswer> => {
    const isForm = (event.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
    const waitSeconds = await limit(event, nowMs);
    if (waitSeconds !== undefined)
      return { refusal: tooOften('Each client address', asksOfAddress.perMinute), headers: retryAfter(waitSeconds) };
    const { data: email } = personalEmail.safeParse(emailIn(bodyText(event) ?? '', isForm));
    if (email === undefined)
      return isForm
        ? { to: '/dashboard/sign-in?problem=email' }
        : { refusal: new Fault('invalid_request', 'email: must be an email address') };
    const client = clientAt(event.requestContext.http.sourceIp);
    // What a client asks beyond its own limit does not count for others.
    const mayAsk =
      (await rates.count(`sign-in ${client} ${email}`, nowMs, { windowMinutes: dayMinutes })) <= mostMailsOfClient &&
      (await rates.count(`sign-in ${email}`, nowMs)) <= mostMails;
    if (mayAsk) await signIns.ask(email, nowMs);
    return isForm ? { to: '/dashboard/sign-in?sent=1' } : { status: 202, data: { email } };
  };

const emailIn = (body: string, isForm: boolean): unknown => {
  if (isForm) return formFields(body)['email']?.trim();
  return Reflect.get(Object(jsonIn(body)), 'email');
};
