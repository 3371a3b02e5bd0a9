import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { adminClient } from './admin-client.ts';

const demoAccount = z.object({ accountId: z.string(), keys: z.object({ messaging: z.string() }) });
export type DemoAccount = z.output<typeof demoAccount>;

const identified = z.object({ id: z.string() });
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

/** The account to try things with: seeded once per data directory, through the same admin API that operators call. */
export const seedDemoAccount = async (
  stack: { readonly url: string; readonly adminToken: string },
  dataDirectory: string,
): Promise<DemoAccount> => {
  const file = join(dataDirectory, 'demo-account.json');
  if (existsSync(file)) return demoAccount.parse(JSON.parse(readFileSync(file, 'utf8')));
  const { call } = adminClient(stack.url, stack.adminToken);
  const { id } = await call('POST', '/accounts', identified, { name: 'Demo' });
  const [key] = await Promise.all([
    call('POST', `/accounts/${id}/api-keys`, z.object({ key: z.string() }), { name: 'demo', scopes }),
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
  await addContact(stack.url, key.key);
  const account: DemoAccount = { accountId: id, keys: { messaging: key.key } };
  writeFileSync(file, JSON.stringify(account, null, 2), { mode: 0o600 });
  return account;
};

/** Somebody to send to: their phone is one of those whose outcome the simulator decides. */
const addContact = async (url: string, key: string): Promise<void> => {
  const response = await fetch(`${url}/api/v1/contacts`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '+8801700000000', firstName: 'Demo', lastName: 'Contact', source: 'demo' }),
  });
  if (!response.ok) throw new Error(`the demo contact was answered ${response.status}: ${await response.text()}`);
};
