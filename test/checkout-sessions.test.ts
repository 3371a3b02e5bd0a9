import { beforeAll, describe, expect, it } from 'vitest';
import { type Merchant, newMerchant, simulatedMethods } from './checkout-merchant.ts';
import { decided } from './decided.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// POST /v1/checkout-sessions on the whole stack. Its access rules are in checkout-access.test.ts.

const order = { amountMinor: 600_000, currency: 'BDT' };
const day = 86_400_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, 'value']));

let stack: SharedStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await shareTestStack();
  merchant = await newMerchant(stack);
});

describe('201', () => {
  it('answers with exactly the fields of the specification’s section "Checkout session"', async () => {
    const startMs = Date.now();
    const { status, body, headers } = await merchant.create(order);
    expect(status).toBe(201);
    const { id, expiresAt } = body.data;
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(uuid),
        status: 'OPEN',
        ...order,
        url: `${stack.file.checkoutBaseUrl}/checkout/${id}`,
        eligibleMethods: simulatedMethods.map(({ gatewayCode, displayLabel, sortOrder }, n) => ({
          acceptanceMethodId: merchant.methodIds[n],
          mode: 'GATEWAY',
          ...{ gatewayCode, displayLabel, sortOrder },
        })),
        livemode: false,
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(startMs + day);
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + day);
    expect(headers.get('x-ratelimit-limit')).toBe('1000');
    expect(headers.get('idempotent-replay')).toBeNull();
  });

  it('200 GET /v1/public/checkout-sessions/{id} shows the page’s data, and nothing else of merchant or customer', async () => {
    const customer = { name: 'Ada', email: 'ada@example.com', phone: '+8801700000000' };
    const shown = { ...order, description: 'Two books' };
    const created = await merchant.create({ ...shown, customer, metadata: { orderId: '1042' }, invoiceId: 'INV-1' });
    const { url, ...session } = created.body.data;
    const { status, body } = await merchant.publicCall('GET', session.id);
    const more = { paymentStatus: 'PENDING', merchant: { name: 'Dhaka Books' } };
    expect([status, body]).toEqual([200, { data: { ...session, ...shown, ...more } }]);
    expect(url).toContain(session.id);
  });

  it('accepts all optional fields at their limits, and unknown fields', async () => {
    for (const wishes of [
      { amountMinor: 1 },
      { amountMinor: 999_999_999_999 },
      {
        description: 'দুটি বই 📚',
        invoiceId: 'INV-1',
        customer: { name: 'Ada', email: 'ada@example.com', phone: '+8801' },
      },
      { customer: {}, metadata: {} },
      { metadata: { ...numbered(49), ['k'.repeat(40)]: 'v'.repeat(500) } },
      { successUrl: `https://shop.example/${'x'.repeat(2_027)}`, cancelUrl: 'http://localhost:3001/cart' },
      { successUrl: 'https://shop.example/?s={CHECKOUT_SESSION_ID}' },
      { paymentMethodTypes: ['card'], amount: 'x' },
    ]) {
      expect([wishes, (await merchant.create({ ...order, ...wishes })).status]).toEqual([wishes, 201]);
    }
  });

  it('with a live key offers no simulator, and gateways only for amounts that they accept', async () => {
    const live = await newMerchant(stack);
    const credentials = { storeId: 'shop', storePassword: 'shop@ssl' };
    const sslcommerz = {
      gatewayCode: 'sslcommerz',
      displayLabel: 'Cards',
      livemode: true,
      enabled: true,
      sortOrder: 9,
    };
    await live.setMethods([...simulatedMethods, { ...sslcommerz, credentials }]);
    const authorization = `Bearer ${await live.newKey({ livemode: true })}`;
    for (const [amountMinor, codes] of [
      [999, []],
      [1_000, ['sslcommerz']],
      [50_000_000, ['sslcommerz']],
      [50_000_001, []],
    ] as const) {
      const { status, body } = await live.create({ ...order, amountMinor }, { authorization });
      const offered = body.data.eligibleMethods.map(({ gatewayCode }: { gatewayCode: string }) => gatewayCode);
      expect([status, body.data.livemode, offered]).toEqual([201, true, codes]);
    }
  });

  it('with a publishable key answers pages of any origin', async () => {
    const key = await merchant.newKey({ kind: 'publishable' });
    const headers = { authorization: `Bearer ${key}`, origin: 'https://shop.example' };
    const answer = await merchant.create(order, headers);
    expect([answer.status, answer.body.data.livemode]).toEqual([201, false]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(answer.headers.get('access-control-expose-headers')).toContain('Idempotent-Replay');
  });

  it('creates one session per idempotency key, for 30 concurrent calls and later ones with any body', async () => {
    const headers = { 'idempotency-key': 'order-1042' };
    const create = (n: number) => merchant.create({ ...order, amountMinor: n + 1 }, headers);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => decided(() => create(n))));
    const later = await merchant.create({ ...order, metadata: { another: 'body' } }, headers);
    for (const { status, body } of [...answers, later]) expect([status, body]).toEqual([201, later.body]);
    // Its creator is answered with a replay too, where its first answer was a 5xx.
    const creators = answers.filter((answer) => answer.headers.get('idempotent-replay') === null);
    expect(creators.length).toBeLessThanOrEqual(1);
    expect(later.headers.get('idempotent-replay')).toBe('true');
  });

  it('scopes an idempotency key to the account and the mode', async () => {
    const headers = { 'idempotency-key': `k${'.'.repeat(254)}` };
    const authorization = `Bearer ${await merchant.newKey({ livemode: true })}`;
    const [other, ...ours] = [
      await (await newMerchant(stack)).create(order, headers),
      await merchant.create(order, headers),
      await merchant.create(order, { ...headers, authorization }),
    ];
    for (const { headers: answered } of [other, ...ours]) expect(answered.get('idempotent-replay')).toBeNull();
    expect(new Set([other, ...ours].map(({ body }) => body.data.id)).size).toBe(3);
  });
});

describe('400 bad_request, naming the field', () => {
  const refusal = (field: string, wishes: object, why = '') => ({ field, wishes, why });
  const metadataRefusal = (metadata: unknown, why: string) => refusal('metadata', { metadata }, why);
  const refusals = [
    ...[0, -1, 1.5, '100', null, true, [1], 1e12, 1e15, undefined].map((amountMinor) =>
      refusal('amountMinor', { amountMinor }),
    ),
    ...['bdt', 'TAKA', '', 5, null, undefined].map((currency) => refusal('currency', { currency })),
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'http://shop.example/',
      'http://localhost.evil.example/',
      'https://user:secret@shop.example/',
      'https://shop.example\\@evil.example/',
      'https://shop.example/\r\nSet-Cookie: a=b',
      'https://{CHECKOUT_SESSION_ID}.example/',
      `https://shop.example/${'x'.repeat(2_028)}`,
      '//shop.example',
      '/thanks',
      '',
    ].flatMap((url) => [
      refusal('successUrl', { successUrl: url }, 'must be an absolute https URL'),
      refusal('cancelUrl', { cancelUrl: url }, 'must be an absolute https URL'),
    ]),
    refusal('successUrl', { successUrl: 5 }),
    ...[{ n: 1 }, { n: null }, { n: {} }, { n: ['a'] }].map((metadata) =>
      metadataRefusal(metadata, 'must have string values only'),
    ),
    ...['text', ['a']].map((metadata) => metadataRefusal(metadata, 'must be an object')),
    metadataRefusal(numbered(51), 'at most 50 keys'),
    metadataRefusal({ ['k'.repeat(41)]: 'v' }, 'at most 40 characters'),
    refusal('metadata.k', { metadata: { k: 'v'.repeat(501) } }, 'at most 500 characters'),
    refusal('customer', { customer: 'Ada' }),
    refusal('customer.name', { customer: { name: 5 } }),
    refusal('description', { description: 5 }),
    refusal('invoiceId', { invoiceId: 5 }),
  ];

  it.each(refusals)('$field: $wishes', async ({ field, wishes, why }) => {
    const { status, body } = await merchant.create({ ...order, ...wishes });
    const { code, message, docsUrl } = body.error;
    expect([status, code, docsUrl]).toEqual([400, 'bad_request', '/docs/errors#bad_request']);
    expect(message).toMatch(new RegExp(`^${field}: `));
    expect(message).toContain(why);
    expect(message).not.toContain('secret');
  });

  it.each(['', '{', '[]', 'null', '"text"', '5'])('for a body that is not a JSON object: %s', async (text) => {
    const { status, body } = await merchant.create(text);
    expect([status, body.error]).toMatchObject([
      400,
      { code: 'bad_request', message: expect.stringMatching(/^body: /) },
    ]);
  });

  it('for an idempotency key of more than 255 characters', async () => {
    const { status, body } = await merchant.create(order, { 'idempotency-key': 'k'.repeat(256) });
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
  });

  it('for a plain http return URL with a live key, and for another host or a larger amount than the key allows', async () => {
    const live = await merchant.newKey({ livemode: true });
    const bound = await merchant.newKey({
      ...{ kind: 'publishable', redirectHosts: ['shop.example'], maxAmountMinor: 1_000 },
    });
    for (const [key, wishes, field] of [
      [live, { cancelUrl: 'http://localhost:3001/' }, 'cancelUrl'],
      [bound, { amountMinor: 1_000, successUrl: 'https://another.example/' }, 'successUrl'],
      [bound, { amountMinor: 1_001 }, 'amountMinor'],
    ] as const) {
      const { status, body } = await merchant.create({ ...order, ...wishes }, { authorization: `Bearer ${key}` });
      expect([status, body.error.code, body.error.message]).toEqual([
        ...[400, 'bad_request'],
        expect.stringMatching(new RegExp(`^${field}: `)),
      ]);
    }
  });
});

it('422 unsupported_currency; 400 when the amount is invalid too', async () => {
  const refused = await merchant.create({ ...order, currency: 'USD' });
  expect([refused.status, refused.body.error.code]).toEqual([422, 'unsupported_currency']);
  const wrong = await merchant.create({ amountMinor: 0, currency: 'USD' });
  expect([wrong.status, wrong.body.error.code]).toEqual([400, 'bad_request']);
});
