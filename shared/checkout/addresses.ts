import { logoPath } from './branding.ts';
import type { Payment } from './payment.ts';
import type { CheckoutSession } from './session.ts';
import { statusAt } from './session-status.ts';

type Of = Pick<Payment, 'id' | 'sessionId'>;

/** Characters that are valid in a header. */
const isAscii = /^[!-~]*$/;

const placeholder = '{CHECKOUT_SESSION_ID}';

/** A merchant's own address for the way back, with the session's id where it wants it. */
export const returnAddress = (url: string, sessionId: string): string => {
  const filled = url.replaceAll(placeholder, sessionId);
  return isAscii.test(filled) ? filled : new URL(filled).href;
};

/** Every address that a checkout leads to. `baseUrl`: the API's own, without a slash at the end. */
export const checkoutAddresses = (baseUrl: string) => {
  const page = (sessionId: string) => `${baseUrl}/checkout/${sessionId}`;
  const waitingScreen = ({ id, sessionId }: Of) => `${page(sessionId)}/payments/${id}`;
  const resultPage = (sessionId: string) => `${page(sessionId)}/result`;
  return {
    page,
    waitingScreen,
    resultPage,

    logo: (id: string) => baseUrl + logoPath(id),

    /** The waiting page of a payer who returns from the gateway; it does not redirect to the gateway again. */
    afterGateway: (payment: Of) => `${waitingScreen(payment)}?returned=1`,

    /** Where the gateway sends the payer's browser back to. */
    gatewayReturn: ({ returnToken }: Pick<Payment, 'returnToken'>) => `${baseUrl}/checkout/return/${returnToken}`,

    /** Where the gateway's server notifies. */
    notification: ({ gatewayCode, id }: Pick<Payment, 'gatewayCode' | 'id'>) =>
      `${baseUrl}/callbacks/payments/${gatewayCode}/${id}`,

    /** Where the payer goes from a payment as it is now: back to the merchant, or to wait. */
    next: (session: CheckoutSession, payment: Payment, nowMs: number): string => {
      const { status } = statusAt(session, nowMs);
      if (payment.status === 'PENDING' && status === 'OPEN') return waitingScreen(payment);
      const url = status === 'COMPLETED' ? session.successUrl : session.cancelUrl;
      return url === undefined ? resultPage(session.id) : returnAddress(url, session.id);
    },
  };
};

export type CheckoutAddresses = ReturnType<typeof checkoutAddresses>;
