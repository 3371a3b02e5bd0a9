import { Fault, type FaultCode } from './fault.ts';

type NotFoundCode = Extract<FaultCode, `${string}_not_found`>;

const messages: Readonly<Record<NotFoundCode, string>> = {
  account_not_found: 'No account has this id.',
  api_key_not_found: 'No API key has this id.',
  checkout_key_not_found: 'No checkout key has this id.',
  contact_not_found: 'No contact has this id.',
  delivery_not_found: 'No delivery of this webhook that can be resent has this id.',
  message_not_found: 'No message has this id.',
  payment_not_found: 'No payment has this id.',
  refund_not_found: 'No refund has this id.',
  session_not_found: 'No checkout session has this id.',
  template_not_found: 'No template has this id.',
  webhook_not_found: 'No webhook has this id.',
};

/** The id in the path names nothing visible to the caller. */
export const notFound = (code: NotFoundCode): Fault => new Fault(code, messages[code]);

/**
 * The result of a lookup by the id in the path.
 * @throws Fault `code` when it is undefined
 */
export const existing = <Thing extends object>(code: NotFoundCode, thing: Thing | undefined): Thing => {
  if (thing === undefined) throw notFound(code);
  return thing;
};
