import { type CheckoutEventName, checkoutEventId, paymentEventBody, refundEventBody } from '../../checkout/events.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { emptyObject } from '../../kit/json-text.ts';
import type { EventName } from '../../webhooks/events.ts';
import { eventBody, eventIdOf } from '../../webhooks/payload.ts';
import { paymentFrom, refundFrom, sessionFrom } from '../checkout/checkout-items.ts';
import { itemKeys } from '../keys.ts';
import { messageFrom } from '../messages/message-items.ts';
import type { Item, Table } from '../table.ts';

/** An event, with the item of what it happened to as it was then. */
export interface Happening {
  readonly name: EventName | CheckoutEventName;
  readonly atMs: number;
  readonly item: Item;
}

/** What receivers are told of an event. Told again, it is the same to the letter. */
interface Told {
  readonly eventId: string;
  /** The raw body. */
  readonly payload: string;
}

type Teller = (accountId: string, cipher: Cipher, happening: Happening) => Promise<Told>;

/** Puts events into words, by what they happened to. */
export const eventTeller = (table: Table): Teller => {
  /** A payment's event carries the metadata of its session, which never changes. */
  const ofPayment: Teller = async (_, cipher, { name, item }) => {
    const payment = paymentFrom(cipher, item);
    const event = name as CheckoutEventName;
    const session = await table.get(itemKeys.checkoutSession(payment.sessionId));
    const metadata = session ? sessionFrom(cipher, session).metadata : emptyObject;
    return { eventId: checkoutEventId(payment.id, event), payload: paymentEventBody(event, payment, metadata) };
  };

  const ofRefund: Teller = async (_, cipher, { name, item }) => {
    const refund = refundFrom(cipher, item);
    const event = name as CheckoutEventName;
    return { eventId: checkoutEventId(refund.id, event), payload: refundEventBody(event, refund) };
  };

  const ofMessage: Teller = async (accountId, cipher, { name, atMs, item }) => {
    const message = messageFrom(accountId, cipher, item);
    const event = name as EventName;
    return { eventId: eventIdOf(message.id, event), payload: eventBody(event, message, atMs) };
  };

  const tellers: Readonly<Record<string, Teller>> = { message: ofMessage, payment: ofPayment, refund: ofRefund };
  return (accountId, cipher, happening) => {
    const entity = String(happening.item['entity']);
    const teller = tellers[entity];
    if (!teller) throw new InternalError('no event is defined for this entity', { entity });
    return teller(accountId, cipher, happening);
  };
};
