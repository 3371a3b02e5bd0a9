import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callback } from '../../../shared/http/callback.ts';
import { callBack, unlimited } from '../../../shared/http/callback-fixture.ts';
import { metaSettingsOf } from '../../../shared/messages/text-settings.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { confirmWhatsappWebhook } from './handler.ts';

const provider = {
  kind: 'meta' as const,
  phoneNumberId: '1',
  businessAccountId: '2',
  accessToken: 'access',
  appSecret: 'secret',
  verifyToken: 'verify me',
};
const deployment = { provider: 'none', simulatorUrl: undefined };

let world: World;
let account: string;
beforeAll(async () => {
  world = await startWorld();
  account = (await world.newAccount({ settings: { whatsapp: { provider, messagesPerSecond: null } } })).ref.id;
});
afterAll(() => world.close());

const ask = (query: Readonly<Record<string, string>>, id = account) => {
  const whatsappSettings = (one: Parameters<typeof metaSettingsOf>[0]) => metaSettingsOf(one, deployment);
  const handler = callback(confirmWhatsappWebhook({ ...world, whatsappSettings }), unlimited);
  return callBack(handler, { path: { account: id }, query });
};

const genuine = { 'hub.mode': 'subscribe', 'hub.verify_token': 'verify me', 'hub.challenge': '1158201444' };

describe('GET /callbacks/whatsapp/{account}', () => {
  it('200 answers Meta’s challenge, as plain text', async () => {
    const { status, text, headers } = await ask(genuine);
    expect([status, text]).toEqual([200, '1158201444']);
    expect(headers['Content-Type']).toContain('text/plain');
  });

  it('403 refuses a caller without the verify token', async () => {
    for (const wrong of ['', 'verify', 'verify mE', 'verify me ', 'ü'.repeat(9)]) {
      expect(await ask({ ...genuine, 'hub.verify_token': wrong })).toMatchObject({ status: 403, text: 'forbidden' });
    }
    expect((await ask({ ...genuine, 'hub.mode': 'unsubscribe' })).status).toBe(403);
    expect((await ask({})).status).toBe(403);
  });

  it('404 knows no account without WhatsApp, and no other', async () => {
    const { ref } = await world.newAccount();
    for (const id of [ref.id, '01932f6e-8c00-7000-8000-000000000000', 'x']) {
      expect((await ask(genuine, id)).status).toBe(404);
    }
  });
});
