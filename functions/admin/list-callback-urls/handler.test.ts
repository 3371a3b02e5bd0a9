import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { firstInboundUrls } from '../../../shared/messages/callback-urls.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listCallbackUrlsContract } from './contract.ts';
import { listCallbackUrls } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const list = (id: string) =>
  call(endpoint(listCallbackUrlsContract, listCallbackUrls(world), keylessSurface), { path: { id } });

describe('GET /admin/v1/accounts/{id}/callback-urls', () => {
  it('200 returns the same callback URLs for the account’s providers each time', async () => {
    const { ref } = await world.newAccount();
    const { status, body } = await list(ref.id);
    expect(status).toBe(200);
    expect(body.data.whatsapp).toBe(`https://api.example.com/callbacks/whatsapp/${ref.id}`);
    const [base, token] = body.data.smsInbound.split(`/${ref.id}/`);
    expect(base).toBe('https://api.example.com/callbacks/sms-inbound');
    const account = { ref, inboundUrls: firstInboundUrls };
    expect(await world.inboundTokens.isGenuine(account, token, Date.now())).toBe(true);
    expect((await list(ref.id)).body).toEqual(body);
  });

  it('404 answers an unknown id', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'nonsense']) {
      expect((await list(id)).body.error.code).toBe('account_not_found');
    }
  });
});
