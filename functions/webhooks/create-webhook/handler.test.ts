import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const right = { name: 'Orders', url: 'https://example.com/hooks?token=t0k3n', events: ['message.sent'] };

describe('POST /webhooks', () => {
  it('201 answers the subscription, and its secret this once', async () => {
    const { status, body } = await calls.create(account.key, right);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      webhook: {
        ...right,
        id: expect.any(String),
        isActive: true,
        totalSent: 0,
        totalFailed: 0,
        lastSentAt: null,
        lastFailedAt: null,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: body.data.webhook.createdAt,
        hasSecret: true,
      },
      secret: expect.stringMatching(/^[0-9a-f]{48}$/),
    });
    expect(await world.webhooks.find(account.ref, body.data.webhook.id)).toMatchObject(body.data.webhook);
  });

  it('201 begins paused when asked, and takes names of events that never fire, and private targets', async () => {
    const wishes = { isActive: false, events: ['message.opened', 'x'], url: 'http://127.0.0.1:9/' };
    const { status, body } = await calls.create(account.key, { ...right, ...wishes });
    expect([status, body.data.webhook]).toEqual([201, expect.objectContaining(wishes)]);
  });

  it('201 subscribes to nothing with an empty list of events, so nothing is delivered', async () => {
    const owner = await world.newAccount();
    const { status, body } = await calls.create(owner.key, { ...right, events: [] });
    expect([status, body.data.webhook.events]).toEqual([201, []]);
    expect(await calls.begin(owner)).toEqual([]);
  });

  it('201 treats null in an optional field as omitted; 400 for a required one', async () => {
    expect((await calls.create(account.key, { ...right, isActive: null })).body.data.webhook.isActive).toBe(true);
    expect((await calls.create(account.key, { ...right, name: null })).status).toBe(400);
  });

  it('201 at the limits', async () => {
    const wishes = { name: 'n'.repeat(100), events: Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(100, 'x')) };
    expect((await calls.create(account.key, { ...right, ...wishes })).status).toBe(201);
  });

  it.each([
    ['name', undefined],
    ['name', ''],
    ['name', ' '],
    ['name', 'n'.repeat(101)],
    ['name', 1],
    ['url', undefined],
    ['url', 'example.com'],
    ['url', 'ftp://example.com'],
    ['url', 'https://example.com/#x'],
    ['url', `https://example.com/${'x'.repeat(2_048)}`],
    ['events', undefined],
    ['events', 'message.sent'],
    ['events', [1]],
    ['events', ['']],
    ['events', Array.from({ length: 101 }, (_, n) => `${n}`)],
    ['isActive', 'yes'],
  ])('400 refuses %s %j, in the older shape', async (field, value) => {
    const { status, body } = await calls.create(account.key, { ...right, [field]: value });
    expect(status).toBe(400);
    expect(body).toEqual({
      statusCode: 400,
      error: 'invalid_request',
      message: expect.stringMatching(new RegExp(`^${field}(\\.0)?: `)),
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      path: '/',
    });
  });

  it('400 refuses the 21st subscription, exactly, however many are created concurrently', async () => {
    const owner = await world.newAccount();
    for (let n = 0; n < 15; n += 1) await calls.subscribe(owner);
    const answers = await Promise.all(Array.from({ length: 9 }, () => calls.create(owner.key, right)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 400, 400, 400, 400]);
    expect(await world.webhooks.list(owner.ref)).toHaveLength(20);
    const { status, body } = await calls.create(owner.key, right);
    expect([status, body.error, body.message]).toEqual([
      400,
      'invalid_request',
      'webhooks: the account has reached its limit of 20 subscriptions; delete one, or ask for a higher limit',
    ]);

    const fields = { name: 'n', url: right.url, events: [], isActive: true };
    await world.checkoutWebhooks.create(owner.ref, newId(Date.now()), fields, { secret: 's', most: 20 });
    const [first] = await world.webhooks.list(owner.ref);
    await world.webhooks.remove(owner.ref, first?.id ?? '');
    expect((await calls.create(owner.key, right)).status).toBe(201);
    expect((await calls.create(owner.key, right)).status).toBe(400);
  });

  it('201 up to the limit that an operator has set, and an account that has more keeps them', async () => {
    const webhooks = { maxSubscriptions: 21 };
    const owner = await world.newAccount({ settings: { webhooks } });
    for (let n = 0; n < 21; n += 1) expect((await calls.create(owner.key, right)).status).toBe(201);
    expect((await calls.create(owner.key, right)).status).toBe(400);
    const before = await world.accounts.find(owner.ref.id);
    if (before) await world.accounts.save(before, { ...before, webhooks: { maxSubscriptions: 20 } }, Date.now());
    expect((await calls.create(owner.key, right)).status).toBe(400);
    expect(await world.webhooks.listeners(owner.ref.id)).toHaveLength(21);
  });

  it('201 once, when the answer of its write was lost', async () => {
    const owner = await world.newAccount();
    let lost = 0;
    const stop = world.loseAnswers((call) => call === 'TransactWriteItems' && lost++ === 0);
    const { status } = await calls.create(owner.key, right);
    stop();
    expect([status, lost]).toEqual([201, 2]);
    expect(await world.webhooks.list(owner.ref)).toHaveLength(1);
  });

  it('401 and 403 in the older shape', async () => {
    const { key } = await world.newAccount({ scopes: ['messages:send'] });
    for (const [sent, code, status] of [
      ['mk_x', 'unauthorized', 401],
      [key, 'forbidden_scope', 403],
    ] as const) {
      const { body } = await calls.create(sent, right);
      expect(body).toMatchObject({ statusCode: status, error: code, path: '/' });
    }
  });

  it('429 in the older shape', async () => {
    const { key } = await world.newAccount({ rateLimitPerMinute: 1 });
    const answers = [await calls.create(key, right), await calls.create(key, right), await calls.create(key, right)];
    expect(answers.at(-1)?.body).toMatchObject({ statusCode: 429, error: 'rate_limited' });
  });

  it('leaves neither secret nor url nor name readable in the table', async () => {
    const { body } = await calls.create(account.key, { ...right, name: 'Naomi’s shop' });
    const dump = Buffer.from(JSON.stringify(await world.scan())).toString('latin1');
    const bytes = (await world.scan()).flatMap((item) =>
      Object.values(item).flatMap((value) =>
        value instanceof Uint8Array ? [Buffer.from(value).toString('latin1')] : [],
      ),
    );
    for (const text of [body.data.secret, 't0k3n', 'Naomi']) expect([dump, ...bytes].join('\n')).not.toContain(text);
  });
});
