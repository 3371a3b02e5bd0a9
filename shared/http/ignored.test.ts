import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createContactsContract } from '../../functions/contacts/create-contacts/contract.ts';
import { sendMessagesContract } from '../../functions/messages/send-messages/contract.ts';
import { call } from '../../test/call.ts';
import { linesOf } from '../../test/log-lines.ts';
import { contract } from './contract.ts';
import { endpoint } from './endpoint.ts';
import { keylessSurface } from './keyless-surface.ts';

const reads = <Body extends z.ZodType>(body: Body) =>
  contract({
    summary: '',
    status: 204,
    query: z.object({ limit: z.string().optional() }),
    body,
    refuses: ['invalid_request'],
  });
const refund = z.object({ amountMinor: z.int().optional(), metadata: z.record(z.string(), z.string()).optional() });

/** What the line of the answered request says that was ignored. */
const ignoredIn = async (body: unknown, query: Record<string, string> = {}, schema: z.ZodType = refund) => {
  const handler = endpoint(reads(schema), async () => undefined, keylessSurface);
  const lines = await linesOf(() => call(handler, { body, query }));
  return lines.find(({ message }) => message === 'answered')?.['ignored'];
};

describe('the line of an answered request', () => {
  it('names the fields and parameters that the contract does not know, without their values', async () => {
    expect(
      await ignoredIn({ amount: 500, amountMinor: 500, reason: null }, { limit: '5', starting_after: 'x' }),
    ).toEqual(['starting_after', 'amount', 'reason']);
  });

  it('names them also where the request is refused', async () => {
    expect(await ignoredIn({ amount: 500, amountMinor: 'all' })).toEqual(['amount']);
  });

  it('says nothing of a request that is all known, nor of a field with free names', async () => {
    expect(await ignoredIn({ amountMinor: 500, metadata: { orderId: '1042' } }, { limit: '5' })).toBeUndefined();
  });

  it.each([
    ['free names', z.looseObject({})],
    ['names of any kind', z.record(z.string(), z.unknown())],
    ['several kinds', z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })])],
  ])('says nothing of an object with %s', async (_, schema) => {
    expect(await ignoredIn({ kind: 'a', amount: 500 }, {}, schema)).toBeUndefined();
  });

  it('names what is inside a field by its path, after what is beside it, also where the field is optional or a transformed row', async () => {
    const row = refund.transform((one) => ({ one })).catch(() => ({ one: {} }));
    const batch = z.object({ rows: z.array(row).max(3), customer: z.object({ name: z.string() }).nullish() });
    const rows = [
      { amountMinor: 500 },
      'none',
      { metadata: { orderId: '1' }, amount: 500, 'a b': 1 },
      null,
      [{ a: 1 }],
    ];
    const sent = { rows, customer: { name: 'Ada', mail: { to: 'a@b.co' } }, limit: 5 };
    expect(await ignoredIn(sent, {}, batch)).toEqual(['limit', 'rows.2.amount', 'customer.mail']);
    expect(await ignoredIn({ rows: { amount: 500 }, customer: [{ mail: 1 }] }, {}, batch)).toBeUndefined();
    expect(await ignoredIn([{ amount: 500 }], {}, z.array(refund))).toEqual(['0.amount']);
  });

  it('names the fields of each row of a batch of messages and of an imported contact, as of one alone', async () => {
    const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hi', text: 'Hi' };
    const late = { messages: [mail, { ...mail, scheduled_at: '2026-11-20T12:00:00Z' }] };
    expect(await ignoredIn(late, {}, sendMessagesContract.body)).toEqual(['messages.1.scheduled_at']);
    const contacts = {
      contacts: [{ email: 'ada@example.com', first_name: 'Ada', customFields: { first_name: 'Ada' } }],
    };
    expect(await ignoredIn(contacts, {}, createContactsContract.body)).toEqual(['contacts.0.first_name']);
  });

  it('shows no name that may be a value in the wrong place', async () => {
    const values = [
      'ada@example.com',
      '+8801712345678',
      '01712345678',
      'Ada Lovelace',
      '',
      `mk_${'0'.repeat(64)}`,
      'a'.repeat(41),
    ];
    expect(await ignoredIn(Object.fromEntries(values.map((value) => [value, 1])))).toBeUndefined();
  });

  it('shows ten names at most', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `field_${n}`);
    const sent = Object.fromEntries(names.map((name) => [name, 1]));
    expect(await ignoredIn(sent)).toEqual(names.slice(0, 10));
    const rows = Array.from({ length: 12 }, () => ({ amount: 500 }));
    expect(await ignoredIn(rows, {}, z.array(refund))).toEqual(rows.slice(0, 10).map((_, n) => `${n}.amount`));
  });

  it('names a field that is called like a method of every object', async () => {
    expect(await ignoredIn('{"constructor":1,"__proto__":1}')).toEqual(['constructor', '__proto__']);
  });
});
