import { beforeAll, describe, expect, it } from 'vitest';
import { mostLineItems } from '../shared/checkout/line-items.ts';
import { checkoutLimits, type Limit, messagingLimits, specifiedLimits } from '../shared/docs/limits.ts';
import { JsonText } from '../shared/kit/json-text.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

// A running stack enforces every limit that the docs print: it accepts the maximum, and refuses one more.

let stack: SharedStack;
beforeAll(async () => {
  stack = await shareTestStack();
});

/** True when a request of this size is valid. A rule that blocks a valid send is not about its size. */
type Probe = (size: number) => Promise<boolean>;

const isValid = ({ status, text }: { readonly status: number; readonly text: string }): boolean => {
  if (status >= 500) throw new Error(text);
  return status !== 400;
};

const x = (length: number): string => 'x'.repeat(length);
const numbered = (length: number): string[] => Array.from({ length }, (_, n) => `n${n}`);
const objectOf = (bytes: number) => new JsonText(`{"k":"${x(bytes - '{"k":""}'.length)}"}`);

const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };
const send = async (fields: object) => isValid(await stack.api('POST', '/messages', { ...mail, ...fields }));
const attach = (file: object) => send({ attachments: [{ filename: 'a', content: '', ...file }] });

let people = 0;
const create = (fields: object) => {
  people += 1;
  return stack.api('POST', '/contacts', { email: `person-${people}@example.com`, ...fields });
};
const store = async (fields: object) => isValid(await create(fields));
const list = async (query: string) => isValid(await stack.api('GET', `/contacts?${query}`));
const finds = async (name: object, search: string): Promise<boolean> => {
  const { id } = (await create(name)).body.data;
  const { data } = (await stack.api('GET', `/contacts?search=${search}`)).body;
  return data.some((found: { id: string }) => found.id === id);
};

const hook = { name: 'Orders', url: 'https://example.com/hooks' };
const subscribe = async (fields: object) => {
  const answer = await stack.api('POST', '/webhooks', { ...hook, events: ['message.sent'], ...fields });
  if (answer.status === 201) await stack.api('DELETE', `/webhooks/${answer.body.data.webhook.id}`);
  return isValid(answer);
};
const subscribeToCheckout = async (fields: object) => {
  const path = `/accounts/${stack.file.accountId}/checkout-webhooks`;
  const answer = await stack.admin('POST', path, { ...hook, ...fields });
  if (answer.status === 201) await stack.admin('DELETE', `${path}/${answer.body.data.id}`);
  return isValid(answer);
};
/** This many subscriptions at a time. Those that are accepted stay until one is refused. */
const subscribeOften = async (size: number, event: string, call: typeof stack.api, path: string) => {
  const listed = (await call('GET', path)).body.data;
  const answers = [];
  for (let n = listed.length; n < size; n += 1) answers.push(await call('POST', path, { ...hook, events: [event] }));
  if (answers.every(isValid)) return true;
  for (const { id } of listed) await call('DELETE', `${path}/${id}`);
  return false;
};
const hookProbes = (event: string, of: (fields: object) => Promise<boolean>): Record<string, Probe> => ({
  'Name of a webhook subscription': (size) => of({ name: x(size) }),
  'URL of a webhook subscription': (size) => of({ url: hook.url.padEnd(size, 'x') }),
  'Events of a webhook subscription': (size) => of({ events: Array(size).fill(event) }),
});

const open = async (fields: object) => {
  const headers = { authorization: `Bearer ${stack.file.keys.checkoutSecretTest}` };
  const body = { amountMinor: 1, currency: 'BDT', ...fields };
  return isValid(await request(`${stack.file.checkoutBaseUrl}/v1/checkout-sessions`, 'POST', headers, body));
};
const address = 'https://shop.example/';
const lineItem = { name: 'Tea', quantity: 1, unitAmountMinor: 1 };
const lineItemsOf = (bytes: number): object[] => {
  const items = Array.from({ length: mostLineItems.count }, () => ({
    ...lineItem,
    imageUrl: address.padEnd(930, 'x'),
  }));
  const [last] = items.splice(-1);
  const left = bytes - Buffer.byteLength(JSON.stringify([...items, { ...last, imageUrl: '' }]));
  return [...items, { ...last, imageUrl: address.padEnd(left, 'x') }];
};
const longestDomain = [x(63), x(63), x(63), x(63)].join('.');

const messagingProbes: Record<string, Probe> = {
  'JSON body': (size) => send({ metadata: new JsonText(`${'{"a":'.repeat(size - 1)}0${'}'.repeat(size - 1)}`) }),
  'Values of a JSON body': (size) => send({ unknown: Array(size - Object.keys(mail).length).fill(0) }),
  '`tags` of a message': (size) => send({ tags: [x(size - '[""]'.length)] }),
  '`metadata` of a message': (size) => send({ metadata: objectOf(size) }),
  'Content with its variables expanded': (size) =>
    send({
      html: `${'{{a}}'.repeat(Math.floor(size / 10_000))}{{rest}}`,
      variables: { a: x(10_000), rest: x(size % 10_000) },
    }),
  '`text` of an sms': (size) =>
    send({ channel: 'sms', to: '+8801712345678', text: '{{a}}', variables: { a: x(153 * size) } }),
  '`text` of a whatsapp message': (size) =>
    send({ channel: 'whatsapp', to: '+8801712345678', text: '{{a}}', variables: { a: x(size) } }),
  '`contentType` of an attachment': (size) => attach({ contentType: 'text/'.padEnd(size, 'x') }),
  '`cid` of an attachment': (size) => attach({ cid: x(size) }),
  '`tags` of a contact': (size) => store({ tags: numbered(size) }),
  'Each tag of a contact': (size) => store({ tags: [x(size)] }),
  '`source` of a contact': (size) => store({ source: x(size) }),
  'Words of a name that `search` matches': (size) =>
    finds(
      { firstName: numbered(size).slice(0, 6).join(' '), lastName: numbered(size).slice(6).join(' ') },
      `n${size - 1}`,
    ),
  '`tags` filter of GET /contacts': (size) => list(`tags=${numbered(size).join()}`),
  '`page` of a list': (size) => list(`page=${size}`),
  'Webhook subscriptions of an account': (size) => subscribeOften(size, 'message.sent', stack.api, '/webhooks'),
  ...hookProbes('message.sent', subscribe),
  'Name of an event in a webhook subscription': (size) => subscribe({ events: [x(size)] }),
};

const checkoutProbes: Record<string, Probe> = {
  '`amountMinor`': (size) => open({ amountMinor: size }),
  '`description`': (size) => open({ description: x(size) }),
  '`customer.name`': (size) => open({ customer: { name: x(size) } }),
  '`customer.email`': (size) => open({ customer: { email: `${x(size - 256)}@${longestDomain}` } }),
  '`customer.phone`': (size) => open({ customer: { phone: '5'.repeat(size) } }),
  '`invoiceId`': (size) => open({ invoiceId: x(size) }),
  '`successUrl`': (size) => open({ successUrl: address.padEnd(size, 'x') }),
  '`cancelUrl`': (size) => open({ cancelUrl: address.padEnd(size, 'x') }),
  '`metadata`': (size) => open({ metadata: Object.fromEntries(numbered(size).map((key) => [key, ''])) }),
  'Each key of `metadata`': (size) => open({ metadata: { [x(size)]: '' } }),
  'Each value of `metadata`': (size) => open({ metadata: { k: x(size) } }),
  '`lineItems`': (size) => open({ amountMinor: size, lineItems: Array(size).fill(lineItem) }),
  '`lineItems` as a whole': (size) => open({ amountMinor: mostLineItems.count, lineItems: lineItemsOf(size) }),
  'Webhook subscriptions of an account': (size) =>
    subscribeOften(size, 'payment.failed', stack.admin, `/accounts/${stack.file.accountId}/checkout-webhooks`),
  ...hookProbes('payment.failed', subscribeToCheckout),
};

const pages = [
  ['/docs', messagingLimits, messagingProbes],
  ['/docs/checkout', checkoutLimits, checkoutProbes],
] as const;

describe.each(pages)('%s', (path, limits, probes) => {
  it.each<Limit>(limits)('says the limit that is enforced: $on, $most $unit', async ({ on, most }) => {
    const probe = probes[on];
    if (!probe) throw new Error('the limit is not tried out');
    expect([await probe(most), await probe(most + 1)]).toEqual([true, false]);
  });

  it('prints every limit', async () => {
    const text = await (await fetch(new URL(path, stack.file.docsUrl))).text();
    expect(text).toContain('Limits');
    for (const { most } of limits) expect(text).toContain(most.toLocaleString('en'));
  });
});

it('/docs/limits prints those of the specification too', async () => {
  const text = await (await fetch(`${stack.file.docsUrl}/limits.md`)).text();
  for (const { on, most } of specifiedLimits)
    expect(
      text.split('\n').filter((line) => line.includes(on) && line.includes(most.toLocaleString('en'))),
    ).not.toEqual([]);
});
