import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { SESClient, VerifyDomainIdentityCommand } from '@aws-sdk/client-ses';
import { type Received, startReceiver } from '../../shared/providers/webhook/receiver-fixture.ts';
import { type Calls, eventually } from './calls.ts';
import { type Emulator, mailsAt } from './emulator.ts';

const scopes = [
  'messages:send',
  'messages:read',
  'contacts:read',
  'contacts:write',
  'templates:read',
  'templates:write',
  'webhooks:manage',
];
const patient = 120;
/** The person whom `npm run operators` adds to a new deployment. */
export const operator = 'ada@example.com';

/** What one smoke has made, for the smoke after an upgrade. */
export interface Made {
  readonly accountId: string;
  readonly key: string;
  readonly messageId: string;
  readonly paymentId: string;
  readonly secretKey: string;
}

/** Uses a new deployment as its first customers would. `say` tells each step. */
export const smoke = async (calls: Calls, emulator: Emulator, say: (step: string) => void): Promise<Made> => {
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  const hooks = `http://127.0.0.1:${receiver.port}/hooks`;
  try {
    const { id: accountId } = await calls.asOperator('POST', '/accounts', { name: 'Smoke' });
    const messaging = await useMessaging(calls, { accountId, hooks, emulator, received: receiver.received, say });
    const checkout = await useCheckout(calls, { accountId, hooks, received: receiver.received, say });
    await signIn(calls, emulator);
    say('a sign-in to the dashboard, by the link of a mail');
    return { accountId, ...messaging, ...checkout };
  } finally {
    await receiver.close();
  }
};

interface Needs {
  readonly accountId: string;
  readonly hooks: string;
  readonly received: readonly Received[];
  readonly say: (step: string) => void;
}

/** @throws AssertionError while none with this text has come */
const receivedIn = (received: readonly Received[], text: string): Received => {
  const found = received.find(({ body }) => body.includes(text));
  assert.ok(found, `none of ${received.length} webhooks has it`);
  return found;
};

const useMessaging = async (
  { made, asOperator }: Calls,
  { accountId, hooks, received, emulator, say }: Needs & { readonly emulator: Emulator },
) => {
  const ses = new SESClient(emulator.client);
  for (const Domain of ['example.com', 'platform.example']) await ses.send(new VerifyDomainIdentityCommand({ Domain }));
  const { key } = await asOperator('POST', `/accounts/${accountId}/api-keys`, { name: 'smoke', scopes });
  await asOperator('PUT', `/accounts/${accountId}/credits`, { email: 100, smsMasked: 0, smsNonMasked: 0 });
  const email = { fromAddress: 'hello@example.com', fromName: 'Smoke', verifiedDomains: ['example.com'] };
  await asOperator('PATCH', `/accounts/${accountId}`, { email });
  say('an account with a key, credits and a domain');

  const headers = { 'x-api-key': key };
  const post = (path: string, body: unknown) => made('POST', `/api/v1${path}`, headers, body);
  await post('/contacts', { email: 'ada@example.com', firstName: 'Ada' });
  const template = await post('/templates', {
    channel: 'email',
    name: 'welcome',
    subject: 'Hello {{name}}',
    textContent: 'Welcome, {{name}}.',
    variables: ['name'],
  });
  say('a contact and a template');

  const { secret } = await post('/webhooks', { name: 'smoke', url: hooks, events: ['message.sent'] });
  const mail = { channel: 'email', to: 'ada@example.com', templateId: template.id, variables: { name: 'Ada' } };
  const { id: messageId } = await post('/messages', mail);
  assert.match(await mailsAt(emulator), /Hello Ada/);
  say('a mail from the template');

  const delivery = await eventually('the webhook of the mail', patient, async () => receivedIn(received, messageId));
  const [, time = '', signature] = /^t=(\d+),v1=(\w+)$/.exec(String(delivery.headers['x-service-signature'])) ?? [];
  assert.equal(signature, createHmac('sha256', secret).update(`${time}.${delivery.body}`).digest('hex'));
  say('its webhook, with the right signature');

  const sendAt = new Date(Date.now() + 65_000).toISOString();
  const later = await post('/messages', {
    channel: 'email',
    to: 'ada@example.com',
    subject: 'Later',
    text: 'x',
    sendAt,
  });
  await eventually('the scheduled mail', 300, async () => {
    const { status } = await made('GET', `/api/v1/messages/${later.id}`, headers);
    assert.equal(status, 'sent');
  });
  say('a scheduled mail, at its time');
  return { key, messageId };
};

const useCheckout = async ({ made, asOperator }: Calls, { accountId, hooks, received, say }: Needs) => {
  const wishes = { kind: 'secret', livemode: false, name: 'smoke' };
  const { key: secretKey } = await asOperator('POST', `/accounts/${accountId}/checkout-keys`, wishes);
  const card = { gatewayCode: 'sim_card', displayLabel: 'Card', livemode: false, enabled: true, sortOrder: 1 };
  const [{ acceptanceMethodId }] = await asOperator('PUT', `/accounts/${accountId}/checkout-methods`, [card]);
  const events = ['payment.succeeded', 'refund.succeeded'];
  const { secret } = await asOperator('POST', `/accounts/${accountId}/checkout-webhooks`, { url: hooks, events });

  const headers = { authorization: `Bearer ${secretKey}` };
  const order = { amountMinor: 600_000, currency: 'BDT' };
  const session = await made('POST', '/v1/checkout-sessions', headers, order);
  const place = `/v1/public/checkout-sessions/${session.id}`;
  const { paymentId } = await made('POST', `${place}/payments`, {}, { acceptanceMethodId });
  await eventually('the payment', patient, async () => {
    const { paymentStatus } = await made('GET', `${place}/status`, {});
    assert.equal(paymentStatus, 'SUCCEEDED');
  });
  say('a checkout session, paid in test mode');

  await made('POST', `/v1/payments/${paymentId}/refunds`, headers, { amountMinor: 250_000 });
  for (const event of events) {
    const told = await eventually(`the webhook of ${event}`, patient, async () => receivedIn(received, `"${event}"`));
    const signature = createHmac('sha256', secret).update(told.body).digest('hex');
    assert.equal(told.headers['x-checkout-signature'], `sha256=${signature}`);
  }
  say('a refund, and the webhooks of both');
  return { secretKey, paymentId };
};

/** As the operator that the deployment was made with. */
const signIn = async ({ call, made }: Calls, emulator: Emulator): Promise<void> => {
  // Both stages send through one SES.
  const links = async (): Promise<readonly string[]> =>
    (await mailsAt(emulator)).match(/\/dashboard\/sign-in\/[\w-]+/g) ?? [];
  const before = await links();
  await made('POST', '/dashboard/sign-in', {}, { email: operator });
  const link = await eventually('the mail with the link', patient, async () => {
    const [sent] = (await links()).filter((one) => !before.includes(one));
    assert.ok(sent, 'no new link is in the mails');
    return sent;
  });
  // The emulator passes no cookies to functions, so the session is made, but cannot be used here.
  const { headers } = await call('GET', link, {});
  assert.deepEqual(
    [headers.location, /^__Host-\w+=\S+; .*HttpOnly/.test(headers['set-cookie']?.[0] ?? '')],
    ['/dashboard', true],
  );
  assert.equal((await call('GET', '/dashboard', {})).status, 200);
  assert.match((await call('GET', link, {})).headers.location ?? '', /problem=expired/);
};

/** Uses on the upgraded deployment what was made before. */
export const smokeAfterUpgrade = async (
  { call, made, asOperator }: Calls,
  { accountId, key, messageId, secretKey, paymentId }: Made,
): Promise<void> => {
  const headers = { 'x-api-key': key };
  const { body } = await call('GET', `/api/v1/messages/${messageId}`, headers);
  assert.equal(body.data.id, messageId);
  await made('POST', '/api/v1/messages', headers, { channel: 'email', to: 'ada@example.com', subject: 'x', text: 'x' });
  const payment = await call('GET', `/v1/payments/${paymentId}`, { authorization: `Bearer ${secretKey}` });
  assert.equal(payment.body.data.refundedMinor, 250_000);
  // Two mails before the upgrade, one after it.
  assert.equal((await asOperator('GET', `/accounts/${accountId}/credits`)).email, 97);
};
