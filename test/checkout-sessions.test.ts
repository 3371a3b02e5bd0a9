import { beforeAll, describe, expect, it } from 'vitest';
import { type Merchant, newMerchant, simulatedMethods } from './checkout-merchant.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// POST /v1/checkout-sessions on the whole stack. Its access rules are in checkout-access.test.ts.

const order = { amountMinor: 600_000, currency: 'BDT' };
const day = 86_400_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

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
});
