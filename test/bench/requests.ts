import { getMessageContract } from '../../functions/messages/get-message/contract.ts';
import { getMessage } from '../../functions/messages/get-message/handler.ts';
import { listMessagesContract } from '../../functions/messages/list-messages/contract.ts';
import { listMessages } from '../../functions/messages/list-messages/handler.ts';
import { sendMessageContract } from '../../functions/messages/send-message/contract.ts';
import { sendMessage } from '../../functions/messages/send-message/handler.ts';
import { detailsOf } from '../../shared/contacts/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { newId } from '../../shared/kit/id.ts';
import { iso } from '../../shared/kit/time.ts';
import { call } from '../call.ts';
import { countConsumption } from '../consumption.ts';
import type { World } from '../world.ts';

/** DynamoDB calls and capacity units of one request of each kind. */
export const benchRequests = async (world: World) => {
  const consumption = countConsumption(world.calls);
  const { ref, key } = await world.newAccount();
  const send = endpoint(
    sendMessageContract,
    sendMessage({ ...world, platformAddress: 'p@platform.example', clock: Date.now }),
    world.callers('messages:send'),
  );
  const get = endpoint(getMessageContract, getMessage(world), world.callers('messages:read'));
  const list = endpoint(listMessagesContract, listMessages(world), world.callers('messages:read'));
  const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };
  const sms = { channel: 'sms', to: '+8801700000000', text: 'It works.' };
  const contactId = newId(Date.now());
  await world.contacts.create(ref, { id: contactId, details: detailsOf({ phone: sms.to }) }, Date.now());
  await world.consents.record(ref, contactId, {
    id: contactId,
    channel: 'sms',
    status: 'active',
    source: 'bench',
    text: null,
    by: 'operator',
    at: iso(Date.now()),
  });
  let id = '';

  // Creates the minute's rate counter, which needs one more call.
  await call(get, { key, path: { id: 'x' } });
  const rows: Record<string, { calls: number; units: number }> = {
    'POST /messages, new contact': await consumption.of(() => call(send, { key, body: mail })),
    'POST /messages, known contact': await consumption.of(async () => {
      id = (await call(send, { key, body: mail })).body.data.id;
    }),
    'POST /messages, known contact, Idempotency-Key': await consumption.of(() =>
      call(send, { key, body: mail, headers: { 'idempotency-key': 'k' } }),
    ),
    'the same again, replayed': await consumption.of(() =>
      call(send, { key, body: mail, headers: { 'idempotency-key': 'k' } }),
    ),
    'POST /messages by sms, known contact': await consumption.of(() => call(send, { key, body: sms })),
    'GET /messages/{id}': await consumption.of(() => call(get, { key, path: { id } })),
    'GET /messages': await consumption.of(() => call(list, { key })),
    'GET /messages?channel=email&status=sent': await consumption.of(() =>
      call(list, { key, query: { channel: 'email', status: 'sent' } }),
    ),
  };
  return rows;
};
