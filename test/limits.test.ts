import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutWebhookContract } from '../functions/admin/create-checkout-webhook/contract.ts';
import { createCheckoutWebhook } from '../functions/admin/create-checkout-webhook/handler.ts';
import { openTexting, type Texting } from '../functions/messages/send-message/text-fixture.ts';
import { mostLineItems } from '../shared/checkout/line-items.ts';
import { checkoutLimits, type Limit, messagingLimits, specifiedLimits } from '../shared/docs/limits.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { keylessSurface } from '../shared/http/keyless-surface.ts';
import { JsonText } from '../shared/kit/json-text.ts';
import { call } from './call.ts';
import { type CheckoutCalls, checkoutCalls } from './checkout-calls.ts';
import { type ContactCalls, contactCalls } from './contacts-calls.ts';
import { described } from './described.ts';
import { type WebhookCalls, webhookCalls } from './webhook-calls.ts';
import type { TestAccount } from './world.ts';

// The endpoints enforce every limit that the docs print: they accept the maximum, and refuse one more.

let texting: Texting;
let account: TestAccount;
let contacts: ContactCalls;
let webhooks: WebhookCalls;
let checkout: CheckoutCalls;
let checkoutKey: string;
beforeAll(async () => {
  texting = await openTexting();
  const { world } = texting;
  account = await world.newAccount();
  [contacts, webhooks, checkout] = [contactCalls(world), webhookCalls(world), checkoutCalls(world)];
  checkoutKey = await world.newCheckoutKey(account.ref);
});
afterAll(() => texting.world.close());

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
const send = async (fields: object) => isValid(await texting.send({ ...mail, ...fields }, { key: account.key }));
const attach = (file: object) => send({ attachments: [{ filename: 'a', content: '', ...file }] });

let people = 0;
const create = (fields: object) => {
  people += 1;
  return contacts.create(account.key, { email: `person-${people}@example.com`, ...fields });
};
const store = async (fields: object) => isValid(await create(fields));
const list = async (query: Readonly<Record<string, string>>) => isValid(await contacts.list(account.key, query));
const finds = async (name: object, search: string): Promise<boolean> => {
  const { id } = (await create(name)).body.data;
  const { data } = (await contacts.list(account.key, { search })).body;
  return data.some((found: { id: string }) => found.id === id);
};

const hook = { name: 'Orders', url: 'https://example.com/hooks' };
/** Each with an account of its own, which may have so many. */
const subscribeOn = ({ key }: TestAccount, fields: object) =>
  webhooks.create(key, { ...hook, events: ['message.sent'], ...fields });
const subscribeToCheckoutOn = ({ ref }: TestAccount, fields: object) =>
  call(
    endpoint(
      createCheckoutWebhookContract,
      createCheckoutWebhook({ ...texting.world, allowsHttp: false }),
      keylessSurface,
    ),
    { path: { id: ref.id }, body: { ...hook, ...fields } },
  );
type Subscribe = typeof subscribeOn;
/** This many subscriptions of a new account. */
const subscribeOften = async (size: number, subscribe: Subscribe): Promise<boolean> => {
  const owner = await texting.world.newAccount();
  for (let n = 0; n < size; n += 1) if (!isValid(await subscribe(owner, {}))) return false;
  return true;
};
const hookProbes = (event: string, subscribe: Subscribe): Record<string, Probe> => {
  const of = async (fields: object) => isValid(await subscribe(account, fields));
  return {
    'Name of a webhook subscription': (size) => of({ name: x(size) }),
    'URL of a webhook subscription': (size) => of({ url: hook.url.padEnd(size, 'x') }),
    'Events of a webhook subscription': (size) => of({ events: Array(size).fill(event) }),
    'Webhook subscriptions of an account': (size) => subscribeOften(size, subscribe),
  };
};

const open = async (fields: object) =>
  isValid(await checkout.create(checkoutKey, { amountMinor: 1, currency: 'BDT', ...fields }));
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
  '`tags` filter of GET /contacts': (size) => list({ tags: numbered(size).join() }),
  '`page` of a list': (size) => list({ page: `${size}` }),
  ...hookProbes('message.sent', subscribeOn),
  'Name of an event in a webhook subscription': async (size) =>
    isValid(await subscribeOn(account, { events: [x(size)] })),
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
  ...hookProbes('payment.failed', subscribeToCheckoutOn),
};

const pages = [
  ['/docs', messagingLimits, messagingProbes],
  ['/docs/checkout', checkoutLimits, checkoutProbes],
] as const;

const printedAt = (path: string): string =>
  String(gunzipSync(Buffer.from(described.files[path]?.gzip ?? '', 'base64')));

describe.each(pages)('%s', (path, limits, probes) => {
  it.each<Limit>(limits)('says the limit that is enforced: $on, $most $unit', async ({ on, most }) => {
    const probe = probes[on];
    if (!probe) throw new Error('the limit is not tried out');
    expect([await probe(most), await probe(most + 1)]).toEqual([true, false]);
  });

  it('prints every limit', () => {
    const text = printedAt(path);
    expect(text).toContain('Limits');
    for (const { most } of limits) expect(text).toContain(most.toLocaleString('en'));
  });
});

it('/docs/limits prints those of the specification too', () => {
  const text = printedAt('/docs/limits.md');
  for (const { on, most } of specifiedLimits)
    expect(
      text.split('\n').filter((line) => line.includes(on) && line.includes(most.toLocaleString('en'))),
    ).not.toEqual([]);
});
