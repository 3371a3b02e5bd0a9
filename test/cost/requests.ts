import { getMessageContract } from '../../functions/messages/get-message/contract.ts';
import { getMessage } from '../../functions/messages/get-message/handler.ts';
import { listMessagesContract } from '../../functions/messages/list-messages/contract.ts';
import { listMessages } from '../../functions/messages/list-messages/handler.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import type { Clock } from '../../shared/kit/time.ts';
import { acceptedText } from '../accepted-message.ts';
import { call } from '../call.ts';
import { checkoutCalls } from '../checkout-calls.ts';
import { contactCalls } from '../contacts-calls.ts';
import type { World } from '../world.ts';

/** A request after which no other function works for it. */
interface Request {
  readonly name: string;
  readonly does: string;
  readonly ask: () => Promise<unknown>;
}

const contactRequests = (world: World, key: string, clock: Clock): readonly Request[] => {
  const contacts = contactCalls(world, clock);
  const emails = ['ada@example.com', 'grace@example.com'];
  return [
    {
      name: 'POST /contacts',
      does: 'contacts/create-contact',
      ask: () => contacts.create(key, { email: emails.pop(), firstName: 'Ada' }),
    },
    { name: 'GET /contacts, one page', does: 'contacts/list-contacts', ask: () => contacts.list(key) },
  ];
};

const checkoutRequests = async (world: World, clock: Clock): Promise<readonly Request[]> => {
  const checkout = checkoutCalls(world, clock);
  const { key, methodIds } = await checkout.newMerchant();
  const newSession = async (): Promise<string> => (await checkout.create(key)).body.data.id;
  const [viewed, ...unpaid] = [await newSession(), await newSession(), await newSession()];
  return [
    { name: 'POST /v1/checkout-sessions', does: 'checkout/create-session', ask: newSession },
    {
      name: 'GET /v1/checkout-sessions/{id}',
      does: 'checkout/get-session',
      ask: () => checkout.view(viewed ?? ''),
    },
    {
      name: 'a payment begins',
      does: 'checkout/begin-payment',
      ask: () => checkout.pay(unpaid.pop() ?? '', methodIds[0]),
    },
  ];
};

/** Requests that can be made twice at least. */
export const requestsOf = async (world: World, clock: Clock): Promise<readonly Request[]> => {
  const account = await world.newAccount();
  const { message: id } = await acceptedText(world, account);
  const readers = world.callers('messages:read');
  const get = endpoint(getMessageContract, getMessage(world), readers, clock);
  const list = endpoint(listMessagesContract, listMessages(world), readers, clock);
  const { key } = account;
  return [
    { name: 'GET /messages/{id}', does: 'messages/get-message', ask: () => call(get, { key, path: { id } }) },
    { name: 'GET /messages, one page', does: 'messages/list-messages', ask: () => call(list, { key }) },
    ...contactRequests(world, key, clock),
    ...(await checkoutRequests(world, clock)),
  ];
};
