import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { hourMs } from '../../../shared/kit/time-units.ts';
import { type CheckoutCalls, checkoutCalls, type Merchant } from '../../../test/checkout-calls.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { decided } from '../../../test/decided.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let calls: CheckoutCalls;
let merchant: Merchant;
let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
beforeAll(async () => {
  world = await startWorld();
  calls = checkoutCalls(world, () => nowMs);
  merchant = await calls.newMerchant({
    methods: [
      { displayLabel: 'Wallet', gatewayCode: 'sim_wallet', sortOrder: 2 },
      { sortOrder: 1 },
      { enabled: false },
    ],
  });
});
afterAll(() => world.close());

const create = (wishes?: unknown, headers?: Record<string, string>) => calls.create(merchant.key, wishes, headers);
const kept = async (id: string) => (await world.sessions.find(id))?.session;

describe('POST /v1/checkout-sessions', () => {
  it('201 creates an open session and answers exactly what the specification shows', async () => {
    const { status, body, headers } = await create({ description: 'Two books', unknown: 1 });
    expect(status).toBe(201);
    expect(headers['Idempotent-Replay']).toBeUndefined();
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: 'OPEN',
        amountMinor: 600_000,
        currency: 'BDT',
        url: `https://pay.example/checkout/${body.data.id}`,
        eligibleMethods: [
          {
            acceptanceMethodId: expect.any(String),
            mode: 'GATEWAY',
            gatewayCode: 'sim_card',
            displayLabel: 'Method 1',
            sortOrder: 1,
          },
          {
            acceptanceMethodId: expect.any(String),
            mode: 'GATEWAY',
            gatewayCode: 'sim_wallet',
            displayLabel: 'Wallet',
            sortOrder: 2,
          },
        ],
        livemode: false,
        expiresAt: '2026-11-21T12:00:00.000Z',
      },
    });
  });

  it('201 names the session in the line of the request', async () => {
    const ids: string[] = [];
    const lines = await linesOf(async () => ids.push((await create()).body.data.id));
    expect(lines).toContainEqual(expect.objectContaining({ message: 'answered', sessionId: ids[0] }));
  });

  it('201 treats null in an optional field as omitted', async () => {
    const nulls = {
      description: null,
      customer: { name: null, email: 'ada@example.com' },
      metadata: null,
      successUrl: null,
    };
    const { status, body } = await create({ ...nulls, cancelUrl: null, invoiceId: null });
    expect(status).toBe(201);
    expect((await kept(body.data.id))?.customer).toEqual({ email: 'ada@example.com' });
  });

  it('201 a live key makes a live session, which test methods cannot pay', async () => {
    const key = await world.newCheckoutKey(merchant.ref, { livemode: true });
    const { body } = await calls.create(key);
    expect([body.data.livemode, body.data.eligibleMethods]).toEqual([true, []]);
  });

  it('201 keeps all that was sent, metadata verbatim, and nothing of it readable at rest', async () => {
    const sent = {
      description: 'Deux livres',
      customer: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+8801700000000' },
      successUrl: 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}',
      cancelUrl: 'http://localhost:3000/cart',
      invoiceId: 'INV-1042',
    };
    const metadata = '{ "zebra":"1","__proto__":"2","a":"","constructor":"ünï\\u0000\\u00e9\\/","2":"","1":"" }';
    const text = JSON.stringify({ amountMinor: 1, currency: 'BDT', ...sent });
    const { status, body } = await create(`${text.slice(0, -1)},"metadata":${metadata}}`);
    expect(status).toBe(201);
    const session = await kept(body.data.id);
    expect(session).toMatchObject({ ...sent, createdWith: 'secret' });
    expect(session?.metadata.text).toBe(metadata);
    const lying = JSON.stringify((await world.scan()).filter(({ session: of }) => of === body.data.id));
    expect(lying.length).toBeGreaterThan(200);
    for (const word of ['Lovelace', 'shop.example', 'localhost', 'INV-1042', 'zebra', 'livres'])
      expect(lying).not.toContain(word);
  });

  it.each([1, 999_999_999_999])('201 accepts an amount of %i', async (amountMinor) => {
    expect((await create({ amountMinor })).body.data.amountMinor).toBe(amountMinor);
  });

  it('201 accepts empty optional objects, and ignores unknown fields', async () => {
    for (const wishes of [
      { customer: {}, metadata: {} },
      { paymentMethodTypes: ['card'], amount: 'x' },
    ])
      expect([wishes, (await create(wishes)).status]).toEqual([wishes, 201]);
  });

  it('201 keeps of a repeated key in metadata the value that was checked, so that receivers get a map of strings', async () => {
    const metadata = '{"a":5,"b":"\\u0062", "\\u0061":{}, "a":"1","__proto__":["x"],"__proto__":"2" }';
    const { status, body } = await create(`{"amountMinor":100,"currency":"BDT","metadata":${metadata}}`);
    expect(status).toBe(201);
    expect((await kept(body.data.id))?.metadata.text).toBe('{"a":"1","b":"\\u0062","__proto__":"2"}');
  });

  it('201 accepts metadata and URLs of the maximum size', async () => {
    const entries = Array.from({ length: 50 }, (_, n) => [`${n}`.padEnd(40, 'é'), '€'.repeat(500)]);
    const successUrl = `https://shop.example/${'a'.repeat(2_027)}`;
    const { status, body } = await create({ metadata: Object.fromEntries(entries), successUrl, cancelUrl: successUrl });
    expect(status).toBe(201);
    expect((await kept(body.data.id))?.metadata).toEqual(JsonText.of(Object.fromEntries(entries)));
  });

  it('201 keeps metadata of the maximum size that was sent as escapes, in its shortest form', async () => {
    const escaped = (text: string) => text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${10 + n}`.padEnd(40, '😀'), '😀'.repeat(500)]),
    );
    const text = escaped(JSON.stringify({ amountMinor: 1, currency: 'BDT', metadata }));
    expect(text.length).toBeGreaterThan(300_000);
    const { status, body } = await create(text);
    expect(status).toBe(201);
    expect((await kept(body.data.id))?.metadata.text).toBe(JSON.stringify(metadata));
  });

  it.each<[string, unknown]>([
    ['amountMinor', { amountMinor: 0 }],
    ['amountMinor', { amountMinor: -1 }],
    ['amountMinor', { amountMinor: 1.5 }],
    ['amountMinor', { amountMinor: '600000' }],
    ['amountMinor', { amountMinor: 1_000_000_000_000 }],
    ['amountMinor', { amountMinor: Number.MAX_SAFE_INTEGER + 1 }],
    ['amountMinor', { amountMinor: true }],
    ['amountMinor', { amountMinor: null }],
    ['amountMinor', { amountMinor: undefined }],
    ['currency', { currency: undefined }],
    ['currency', { currency: 'bdt' }],
    ['currency', { currency: 'TAKA' }],
    ['currency', { currency: 50 }],
    ['currency', { currency: 'USD\n' }],
    ['description', { description: 1 }],
    ['customer', { customer: 'Ada' }],
    ['customer.email', { customer: { email: 1 } }],
    ...[
      '',
      'ada',
      'ada@example',
      'a@example.com, b@example.com',
      'Ada <ada@example.com>',
      'ada@example.com\r\nBcc: b@example.com',
      ' ada@example.com',
    ].map((email): [string, unknown] => ['customer.email', { customer: { email } }]),
    ['successUrl', { successUrl: 'javascript:alert(1)' }],
    ['successUrl', { successUrl: 'https://user@shop.example/' }],
    ['cancelUrl', { cancelUrl: 'http://shop.example/' }],
    ['metadata', { metadata: [] }],
    // A text has no keys and values to look at, however long it is.
    ['metadata', { metadata: 'x'.repeat(1_000_000) }],
    ['metadata', { metadata: { a: 1 } }],
    ['metadata', { metadata: { a: null } }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, ''])) }],
    ['metadata', { metadata: { ['k'.repeat(41)]: '' } }],
    ['metadata.a', { metadata: { a: 'v'.repeat(501) } }],
    ['invoiceId', { invoiceId: 7 }],
    ['body', '{'],
    ['body', '[]'],
    ['body', ''],
  ])('400 bad_request names %s: %j', async (field, wishes) => {
    const { status, body } = await create(wishes);
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
    expect(body.error.message).toContain(`${field}: `);
    expect(body.error.docsUrl).toBe('/docs/errors#bad_request');
  });

  it.each([
    ['metadata: must be an object', { metadata: ['a'] }],
    ['metadata: must have string values only', { metadata: { a: 1 } }],
    [
      'metadata: must have at most 50 keys',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, ''])) },
    ],
    ['metadata: must have keys of at most 40 characters', { metadata: { ['k'.repeat(41)]: '' } }],
    ['metadata.a: must be at most 500 characters', { metadata: { a: 'v'.repeat(501) } }],
    [
      'cancelUrl: must be an absolute https URL of at most 2048 characters without user info (http on localhost with a test key)',
      { cancelUrl: 'https://ada:word@shop.example/' },
    ],
  ])('400 says what is allowed, and repeats nothing of what was sent: %s', async (message, wishes) => {
    expect((await create(wishes)).body.error.message).toBe(message);
  });

  it('400 names several fields at once', async () => {
    const { status, body } = await create({ amountMinor: 0, currency: 'usd' });
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
    expect(body.error.message).toContain('amountMinor: must be at least 1; currency: ');
  });

  it('logs the code that a refusal is answered with', async () => {
    const lines = await linesOf(() => create({ amountMinor: 0 }));
    expect(lines).toMatchObject([{ message: 'answered', status: 400, errorCode: 'bad_request' }]);
  });

  it('400 says that the customer’s address stands without a name', async () => {
    const { body } = await create({ customer: { email: 'Ada <ada@example.com>' } });
    expect(body.error.message).toBe('customer.email: must be an email address alone, without a name');
  });

  it('422 unsupported_currency for a currency that is not enabled', async () => {
    const { status, body } = await create({ currency: 'USD' });
    expect([status, body.error.code]).toEqual([422, 'unsupported_currency']);
    expect(body.error.message).toBe('currency: is not enabled for this merchant (allowed: BDT)');
  });

  it('400 before 422, where a currency that is not enabled comes with an invalid field or a limit of the key', async () => {
    const key = await world.newCheckoutKey(merchant.ref, { kind: 'publishable', maxAmountMinor: 1_000 });
    for (const amountMinor of [0, 1_001]) {
      const { status, body } = await calls.create(key, { amountMinor, currency: 'USD' });
      expect([status, body.error.code]).toEqual([400, 'bad_request']);
      expect(body.error.message).toMatch(/^amountMinor: /);
    }
  });

  it('400 a live key takes no plain http return URL, also of this machine', async () => {
    const key = await world.newCheckoutKey(merchant.ref, { livemode: true });
    const { status, body } = await calls.create(key, { cancelUrl: 'http://localhost:3001/' });
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
    expect(body.error.message).toMatch(/^cancelUrl: /);
  });

  it('401 without a valid key', async () => {
    expect((await calls.create('sk_test_0')).status).toBe(401);
  });

  it('201 and 400 a publishable key keeps to its own limits', async () => {
    const limits = { redirectHosts: ['shop.example'], maxAmountMinor: 1_000 };
    const key = await world.newCheckoutKey(merchant.ref, { kind: 'publishable', ...limits });
    const made = await calls.create(key, { amountMinor: 1_000, successUrl: 'https://shop.example/' });
    expect([made.status, (await kept(made.body.data.id))?.createdWith]).toEqual([201, 'publishable']);
    const refused = await calls.create(key, { amountMinor: 1_001, successUrl: 'https://evil.example/' });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request']);
    expect(refused.body.error.message).toMatch(/^amountMinor: .*; successUrl: /);
  });

  it('costs one write beside the key’s count, and one read each of account and methods, with and without an Idempotency-Key', async () => {
    const { of } = countConsumption(world.calls);
    const plain = await of(() => create());
    const keyed = await of(() => create({}, { 'idempotency-key': newId(nowMs) }));
    expect([plain.calls, keyed.calls]).toEqual([4, 4]);
    expect(plain.units).toBeLessThanOrEqual(8);
    expect(keyed.units).toBeLessThanOrEqual(11);
  });
});

describe('Idempotency-Key', () => {
  const under = (idempotencyKey: string, wishes: unknown = {}, key = merchant.key) =>
    calls.create(key, wishes, { 'idempotency-key': idempotencyKey });

  it('201 returns the same session for any body, with Idempotent-Replay', async () => {
    const first = await under('order-1');
    const second = await under('order-1', { amountMinor: 5, description: 'Another' });
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect([first.headers['Idempotent-Replay'], second.headers['Idempotent-Replay']]).toEqual([undefined, 'true']);
    expect(second.headers['X-RateLimit-Remaining']).toBeDefined();
  });

  it.each<[unknown]>([['{"broken'], [''], ['[]'], [{ amountMinor: 0 }], [{ currency: 'USD' }], [{ metadata: [] }]])(
    '201 returns the same session when the repeated body is invalid: %j',
    async (wishes) => {
      const key = `order ${JSON.stringify(wishes)}`;
      const first = await under(key);
      const second = await under(key, wishes);
      expect([second.status, second.text, second.headers['Idempotent-Replay']]).toEqual([201, first.text, 'true']);
    },
  );

  it('201 gives the session that the key made before a limit was broken; 400 holds no key', async () => {
    const key = await world.newCheckoutKey(merchant.ref, { kind: 'publishable', maxAmountMinor: 1_000 });
    expect((await under('order-limit', { amountMinor: 1_001 }, key)).status).toBe(400);
    const made = await under('order-limit', { amountMinor: 1_000 }, key);
    expect([made.status, made.headers['Idempotent-Replay']]).toEqual([201, undefined]);
    expect((await under('order-limit', { amountMinor: 1_001 }, key)).text).toBe(made.text);
  });

  it('400 is an answer of the request again once the key’s 24 hours are over', async () => {
    await under('order-day', {}, merchant.key);
    nowMs += 24 * hourMs;
    expect((await under('order-day', '{')).status).toBe(400);
  });

  it('201 twenty concurrent requests create one session', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => decided(() => under('order-20'))));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data?.id}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    // Its creator is answered with a replay too, where its first answer was a 503.
    const creators = answers.filter(({ headers }) => headers['Idempotent-Replay'] === undefined);
    expect(creators.length).toBeLessThanOrEqual(1);
  });

  it('201 is scoped to account, mode and kind of key, so a publishable key never returns the server’s session', async () => {
    const other = await calls.newMerchant();
    const liveKey = await world.newCheckoutKey(merchant.ref, { livemode: true });
    const publishable = await world.newCheckoutKey(merchant.ref, { kind: 'publishable' });
    const first = (await under('order-2')).body.data.id;
    const [ofPage, ofOther, ofLive] = await Promise.all([
      under('order-2', {}, publishable),
      under('order-2', {}, other.key),
      under('order-2', {}, liveKey),
    ]);
    const ids = [first, ...[ofPage, ofOther, ofLive].map((answer) => answer?.body.data.id)];
    expect(new Set(ids).size).toBe(4);
  });

  it('201 shows the session as it is now', async () => {
    const { body } = await under('order-3', { amountMinor: 1_005 });
    await calls.pay(body.data.id, body.data.eligibleMethods[0].acceptanceMethodId);
    expect((await under('order-3')).body.data).toEqual({ ...body.data, status: 'COMPLETED' });
  });

  it('201 is free again after 24 hours', async () => {
    const first = (await under('order-4')).body.data.id;
    nowMs += 24 * hourMs - 1;
    expect((await under('order-4')).body.data.id).toBe(first);
    nowMs += 1;
    const second = (await under('order-4')).body.data.id;
    expect(second).not.toBe(first);
    expect((await under('order-4')).body.data.id).toBe(second);
  });

  it('201 accepts 255 characters, 400 refuses 256', async () => {
    expect((await under('k'.repeat(255))).status).toBe(201);
    const { status, body } = await under('k'.repeat(256));
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
  });

  it('400 leaves the key unused', async () => {
    expect((await under('order-5', { amountMinor: 0 })).status).toBe(400);
    expect((await under('order-5')).headers['Idempotent-Replay']).toBeUndefined();
  });
});

describe('lineItems, locale and expiresInSeconds', () => {
  const lineItems = [
    { name: 'Novel', quantity: 3, unitAmountMinor: 150_000, imageUrl: 'https://shop.example/novel.png' },
    { name: 'বাতি', quantity: 1, unitAmountMinor: 150_000 },
  ];

  it('201 keeps them, answers them where they were sent, and nothing of them is readable at rest', async () => {
    const { status, body } = await create({ lineItems, locale: 'bn', expiresInSeconds: 300 });
    expect([status, body.data]).toMatchObject([
      201,
      { lineItems, locale: 'bn', expiresAt: new Date(nowMs + 300_000).toISOString() },
    ]);
    expect(await kept(body.data.id)).toMatchObject({ lineItems, locale: 'bn' });
    const lying = JSON.stringify((await world.scan()).filter(({ session: of }) => of === body.data.id));
    expect(lying).not.toContain('Novel');
    expect((await calls.view(body.data.id)).body.data).toMatchObject({ lineItems, locale: 'bn' });
  });

  it.each<[string, unknown]>([
    ['lineItems', { lineItems: [] }],
    ['lineItems', { lineItems: lineItems.slice(1) }],
    ['lineItems', { lineItems: [{ name: 'a', quantity: 1_000_000, unitAmountMinor: 999_999_999_999 }] }],
    ['lineItems.0.name', { lineItems: [{ ...lineItems[0], name: ' ' }] }],
    ['lineItems.0.quantity', { lineItems: [{ ...lineItems[0], quantity: 0 }] }],
    ['lineItems.0.quantity', { lineItems: [{ ...lineItems[0], quantity: 1.5 }] }],
    ['lineItems.0.unitAmountMinor', { lineItems: [{ ...lineItems[0], unitAmountMinor: -1 }] }],
    ['lineItems.0.imageUrl', { lineItems: [{ ...lineItems[0], imageUrl: 'http://shop.example/a.png' }] }],
    ['lineItems.0.imageUrl', { lineItems: [{ ...lineItems[0], imageUrl: 'javascript:alert(1)' }] }],
    ['locale', { locale: 'fr' }],
    ['expiresInSeconds', { expiresInSeconds: 299 }],
    ['expiresInSeconds', { expiresInSeconds: 86_401 }],
    ['expiresInSeconds', { expiresInSeconds: 600.5 }],
  ])('400 names %s for %j', async (field, wishes) => {
    const { status, body } = await create(wishes);
    expect([status, body.error.code, body.error.message.split(':')[0]]).toEqual([400, 'bad_request', field]);
  });
});
