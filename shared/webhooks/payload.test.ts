import { expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';
import { newEmail } from '../messages/new-message.ts';
import { eventNames } from './events.ts';
import { eventBody, eventIdOf, testBody } from './payload.ts';

const eventMs = Date.parse('2026-11-20T12:00:01.000Z');
const message = newEmail(
  { channel: 'email', to: 'ada@example.com', metadata: new JsonText('{"b":1.0,"2":[1e400],"1":0}') },
  newId(eventMs - 1),
);

it('says what happened and shows exactly the message', () => {
  const { price, ...shown } = message;
  const body = eventBody('message.sent', { ...message, ...{ contactId: 'c', price } }, eventMs);
  expect(JSON.parse(body)).toEqual({
    id: eventIdOf(message.id, 'message.sent'),
    event: 'message.sent',
    createdAt: '2026-11-20T12:00:01.000Z',
    data: { message: { ...shown, metadata: JSON.parse(shown.metadata.text) } },
  });
  expect(body).toContain('"metadata":{"b":1.0,"2":[1e400],"1":0}');
});

it('gives the same event the same id, and every event another', () => {
  const ids = eventNames.flatMap((name) => [eventIdOf(message.id, name), eventIdOf(newId(eventMs), name)]);
  for (const id of ids) expect(id).toMatch(/^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
  expect(eventIdOf(message.id, 'message.failed')).toBe(eventIdOf(message.id, 'message.failed'));
});

it('names account and webhook in a test, which has neither id nor createdAt', () => {
  expect(JSON.parse(testBody('account-1', { id: 'webhook-1', name: 'Orders' }, eventMs))).toEqual({
    event: 'webhook.test',
    tenantId: 'account-1',
    timestamp: '2026-11-20T12:00:01.000Z',
    data: { webhookId: 'webhook-1', webhookName: 'Orders' },
  });
});
