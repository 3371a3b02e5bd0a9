import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { metaSettingsOf } from '../../../shared/messages/text-settings.ts';
import { type MetaTemplates, metaTemplates } from '../../../shared/providers/text/meta-templates.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { syncTemplatesContract } from './contract.ts';
import { syncTemplates } from './handler.ts';

const provider = {
  kind: 'meta' as const,
  phoneNumberId: '1',
  businessAccountId: '2',
  accessToken: 'access',
  appSecret: 'secret',
  verifyToken: 'verify',
};

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const newAccount = () => world.newAccount({ settings: { whatsapp: { provider, messagesPerSecond: null } } });

const sync = (id: string, result: MetaTemplates) => {
  const needs = {
    ...world,
    whatsappSettings: (account: Parameters<typeof metaSettingsOf>[0]) =>
      metaSettingsOf(account, { provider: 'none', simulatorUrl: undefined }),
    metaTemplates: async () => result,
  };
  return call(endpoint(syncTemplatesContract, syncTemplates(needs), keylessSurface), { path: { id } });
};

const listed = (...names: readonly string[]): MetaTemplates => ({
  kind: 'listed',
  templates: names.map((name) => ({ name, language: 'en_US', status: 'APPROVED', text: 'Hi' })),
});

describe('POST /admin/v1/accounts/{id}/whatsapp/templates/sync', () => {
  it('200 returns the number of templates, and the number of changed ones', async () => {
    const { ref } = await newAccount();
    expect((await sync(ref.id, listed('a', 'b'))).body).toEqual({ data: { synced: 2, changed: 2 } });
    expect((await sync(ref.id, listed('a', 'b'))).body).toEqual({ data: { synced: 2, changed: 0 } });
    expect((await sync(ref.id, listed('b', 'c'))).body).toEqual({ data: { synced: 2, changed: 2 } });
    expect(await world.templates.list(ref, 'whatsapp')).toHaveLength(3);
  });

  it('400 refuses an account without WhatsApp, or whose token Meta refuses; nothing changes', async () => {
    const { ref } = await newAccount();
    await sync(ref.id, listed('a'));
    const without = await world.newAccount();
    for (const answer of [
      await sync(without.ref.id, listed('a')),
      await sync(ref.id, { kind: 'refused', reason: 'Meta responded with status 401.' }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    }
    expect(await world.templates.list(ref, 'whatsapp')).toMatchObject([{ isActive: true }]);
  });

  it('502 names Meta when it cannot be reached; nothing changes', async () => {
    const { ref } = await newAccount();
    await sync(ref.id, listed('a'));
    const result = await metaTemplates({ ...provider, graphUrl: 'http://127.0.0.1:1/v24.0' });
    const { status, body } = await sync(ref.id, result);
    expect([status, body.error.code]).toEqual([502, 'upstream_unavailable']);
    expect(body.error.message).toBe(
      'The templates cannot be read: Meta cannot be reached, or its response is invalid.',
    );
    expect(await world.templates.list(ref, 'whatsapp')).toMatchObject([{ isActive: true }]);
  });

  it('404 answers an unknown id', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'nonsense']) {
      expect((await sync(id, listed())).body.error.code).toBe('account_not_found');
    }
  });
});
