import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { adminClient } from './admin-client.ts';
import { demoContactId } from './demo-contact.ts';
import { freshStart } from './fresh-start.ts';
import { StartFailure } from './start-failure.ts';
import { writeWhole } from './write-whole.ts';

const messagingAccount = z.object({ accountId: z.string(), keys: z.object({ messaging: z.string() }) });
const demoAccount = messagingAccount.extend({
  keys: messagingAccount.shape.keys.extend({
    checkoutSecretTest: z.string(),
    checkoutSecretLive: z.string(),
    checkoutPublishableTest: z.string(),
    checkoutPublishableLive: z.string(),
  }),
});
const keptAccount = z.union([demoAccount, messagingAccount]);

type MessagingAccount = z.output<typeof messagingAccount>;
export type DemoAccount = z.output<typeof demoAccount>;

type Call = ReturnType<typeof adminClient>['call'];

const identified = z.object({ id: z.string() });
const withKey = z.object({ key: z.string() });
/** The functions that seeding and the two printed curl lines call. They are bundled first. */
export const firstFunctions: readonly string[] = [
  'admin/create-account',
  'admin/create-api-key',
  'admin/set-credits',
  'admin/update-account',
  'admin/create-checkout-key',
  'admin/set-checkout-methods',
  'contacts/set-consent',
  'contacts/list-contacts',
  'contacts/create-contact',
  'messages/send-message',
  'checkout/create-session',
];
/** What the first payment and the first email of the README lead to. They are bundled right after the start, in two small lots. */
export const nextFunctions: readonly string[] = [
  'checkout/show-checkout',
  'checkout/show-style',
  'checkout/show-script',
  'checkout/begin-payment-by-form',
  'checkout/show-payment',
  'checkout/show-result',
  'outbox/route-changes',
  'callbacks/receive-ses-notification',
  'webhooks/publish-events',
  'webhooks/list-events',
  'checkout/begin-payment',
  'checkout/get-session-status',
];

const startCredits = 10_000;
const scopes = [
  'messages:send',
  'messages:read',
  'contacts:read',
  'contacts:write',
  'templates:read',
  'templates:write',
  'analytics:read',
  'webhooks:manage',
];
const simulators = [
  { gatewayCode: 'sim_card', displayLabel: 'Card (test)', displayLabelBn: 'কার্ড (পরীক্ষা)' },
  { gatewayCode: 'sim_wallet', displayLabel: 'Wallet (test)', displayLabelBn: 'মোবাইল ওয়ালেট (পরীক্ষা)' },
  { gatewayCode: 'sim_bank', displayLabel: 'Bank (test)', displayLabelBn: 'ব্যাংক (পরীক্ষা)' },
];

/**
 * The demo account: seeded once per data directory through the admin API. An account that was seeded before the checkout existed
 * gets the missing parts.
 * @throws StartFailure when its file is damaged
 */
export const seedDemoAccount = async (
  stack: { readonly url: string; readonly adminToken: string },
  dataDirectory: string,
): Promise<DemoAccount> => {
  const file = join(dataDirectory, 'demo-account.json');
  const kept = keptIn(file);
  if (kept && 'checkoutSecretTest' in kept.keys) return { ...kept, keys: kept.keys };
  const { call } = adminClient(stack.url, stack.adminToken);
  const { accountId, keys } = kept ?? (await openAccount(call));
  const [checkoutKeys] = await Promise.all([
    addCheckout(call, accountId),
    demoContactId(stack.url, keys.messaging).then((id) =>
      call('PUT', `/contacts/${id}/consents/sms`, z.unknown(), { status: 'active', source: 'demo' }),
    ),
  ]);
  const account: DemoAccount = { accountId, keys: { ...keys, ...checkoutKeys } };
  writeWhole(file, JSON.stringify(account, null, 2));
  return account;
};

const keptIn = (file: string): DemoAccount | MessagingAccount | undefined => {
  if (!existsSync(file)) return undefined;
  try {
    return keptAccount.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartFailure(`${file} is damaged. Delete the data: ${freshStart(dirname(file))}`);
  }
};

const openAccount = async (call: Call): Promise<MessagingAccount> => {
  const { id } = await call('POST', '/accounts', identified, { name: 'Demo' });
  const [{ key }] = await Promise.all([
    call('POST', `/accounts/${id}/api-keys`, withKey, { name: 'demo', scopes }),
    call('PUT', `/accounts/${id}/credits`, z.unknown(), {
      email: startCredits,
      smsMasked: startCredits,
      smsNonMasked: startCredits,
    }),
    call('PATCH', `/accounts/${id}`, z.unknown(), {
      email: { fromAddress: 'hello@example.com', fromName: 'Demo', verifiedDomains: ['example.com'] },
      sms: { sender: 'masked', senderKind: 'masked' },
      quietHours: null,
      frequencyCap: null,
    }),
  ]);
  return { accountId: id, keys: { messaging: key } };
};

/** A checkout key of each kind and mode, and three ways to pay with test keys. */
const addCheckout = async (call: Call, accountId: string): Promise<Omit<DemoAccount['keys'], 'messaging'>> => {
  const newKey = async (kind: 'secret' | 'publishable', livemode: boolean) =>
    (await call('POST', `/accounts/${accountId}/checkout-keys`, withKey, { kind, livemode, name: 'demo' })).key;
  const methods = simulators.map((simulator, n) => ({
    ...simulator,
    livemode: false,
    enabled: true,
    sortOrder: n + 1,
  }));
  // Sequentially, so that one instance of the function serves all calls.
  const checkoutSecretTest = await newKey('secret', false);
  const checkoutSecretLive = await newKey('secret', true);
  const checkoutPublishableTest = await newKey('publishable', false);
  const checkoutPublishableLive = await newKey('publishable', true);
  await call('PUT', `/accounts/${accountId}/checkout-methods`, z.unknown(), methods);
  return { checkoutSecretTest, checkoutSecretLive, checkoutPublishableTest, checkoutPublishableLive };
};
