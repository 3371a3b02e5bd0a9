import { expect, it } from 'vitest';
import { openSession } from '../../../test/checkout-fixture.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { newId } from '../../kit/id.ts';
import { JsonText } from '../../kit/json-text.ts';
import { newEmail } from '../../messages/new-message.ts';
import { firstSpread } from '../../messages/spread.ts';
import { sessionFrom, sessionItems } from '../checkout/checkout-items.ts';
import { messageFrom, messageItems } from './message-items.ts';
import { messageKeys } from './message-places.ts';

/** Seals nothing, so that a test reads what lies in the table. */
const open: Cipher = {
  seal: (_, text) => Buffer.from(text),
  open: (_, sealed) => Buffer.from(sealed as Uint8Array).toString(),
  fingerprint: (_, text) => text,
};
const account = { id: 'account-1', sealedKey: 'key' };
const verbatim = new JsonText('{ "b": 1.0, "2": 1e400, "1": "\\u0041" }');

const messageWith = (metadata: JsonText) => {
  const message = newEmail({ channel: 'email', to: 'ada@example.com', metadata }, newId(Date.now()));
  const place = { ...messageKeys(account.id, firstSpread, message), accountId: account.id, cipher: open };
  return messageItems({ ...message, ...place }, message, { origin: 'api' }).row;
};
const sessionWith = (metadata: JsonText) => sessionItems(account, open, openSession(account.id, { metadata })).row;
const textOf = (sealed: unknown): string => Buffer.from(sealed as Uint8Array).toString();

it('metadata lies in a row as it came, and is read from it so', () => {
  const message = messageWith(verbatim);
  expect(textOf(message.sealed)).toContain(verbatim.text);
  expect(messageFrom(account.id, open, message).metadata).toEqual(verbatim);
  const session = sessionWith(verbatim);
  expect(textOf(session['details'])).toContain(verbatim.text);
  expect(sessionFrom(open, session).metadata).toEqual(verbatim);
});

it('rows that hold metadata as JSON.stringify wrote it are read, and rows look no different for plain metadata', () => {
  const plain = { orderId: '1042', deep: { list: [null, 'x'] } };
  const message = messageWith(JsonText.of(plain));
  const earlier = JSON.stringify({ to: 'ada@example.com', tags: [], metadata: plain });
  expect(textOf(message.sealed)).toBe(earlier);
  expect(messageFrom(account.id, open, { ...message, sealed: Buffer.from(earlier) }).metadata).toEqual(
    JsonText.of(plain),
  );
  const session = sessionWith(JsonText.of({ orderId: '1042' }));
  const details = JSON.parse(textOf(session['details']));
  expect(details.metadata).toEqual({ orderId: '1042' });
  const rewritten = { ...session, details: Buffer.from(JSON.stringify(details)) };
  expect(sessionFrom(open, rewritten).metadata).toEqual(JsonText.of({ orderId: '1042' }));
  const { metadata: _, ...without } = details;
  const bare = { ...session, details: Buffer.from(JSON.stringify(without)) };
  expect(sessionFrom(open, bare).metadata).toEqual(new JsonText('{}'));
});
