import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoundJob } from '../../../shared/accounts/round.ts';
import { metaSettingsOf } from '../../../shared/messages/text-settings.ts';
import type { MetaTemplates } from '../../../shared/providers/text/meta-templates.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import type { RemoteTemplate } from '../../../shared/templates/whatsapp-template.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { syncWhatsappTemplates } from './sync-whatsapp-templates.ts';

const providerOf = (businessAccountId: string) => ({
  kind: 'meta' as const,
  phoneNumberId: '1',
  businessAccountId,
  accessToken: 'access',
  appSecret: 'secret',
  verifyToken: 'verify',
});

let world: World;
let accounts: TestAccount[];
beforeAll(async () => {
  world = await startWorld();
  await world.newAccount();
  accounts = [];
  for (const n of [1, 2, 3]) {
    const whatsapp = { provider: providerOf(String(n)), messagesPerSecond: null };
    accounts.push(await world.newAccount({ settings: { whatsapp } }));
  }
});
afterAll(() => world.close());

const template = (name: string, status = 'APPROVED'): RemoteTemplate => ({
  name,
  language: 'en_US',
  status,
  text: `Hi {{1}} ${name}`,
});

/** One round with these answers of Meta per business account. */
const round = async (answer: (businessAccountId: string) => MetaTemplates, nowMs = Date.now()): Promise<void> => {
  const jobs: RoundJob[] = [{}];
  const work = syncWhatsappTemplates({
    ...world,
    whatsappSettings: (account) => metaSettingsOf(account, { provider: 'none', simulatorUrl: undefined }),
    metaTemplates: async ({ businessAccountId }) => answer(businessAccountId),
    templateSyncsQueue: { send: async (more) => void jobs.push(...more) },
  });
  for (const job of jobs) await work(job, nowMs);
};

const seen = async (n: number) => {
  const account = accounts[n];
  if (!account) throw new Error('there is no such account');
  const listed = await world.templates.list(account.ref, 'whatsapp');
  return Object.fromEntries(listed.map((one) => [one.name, one]));
};

describe('the daily sync', () => {
  it('makes the templates of every account as they are at its own business account', async () => {
    await round((id) => ({ kind: 'listed', templates: [template(`offer_${id}`), template('shared')] }));
    for (const n of [0, 1, 2]) {
      expect(Object.keys(await seen(n)).sort()).toEqual([`offer_${n + 1}`, 'shared']);
    }
    const { shared } = await seen(0);
    const sendable = await world.sends.read(accounts[0]?.ref ?? { id: '', sealedKey: '' }, {
      channel: 'whatsapp',
      templateId: shared?.id,
    });
    expect(sendable.template?.content.text).toBe('Hi {{1}} shared');
  });

  it('keeps what has not changed as it is, and disables what has vanished', async () => {
    const before = await seen(0);
    await round(() => ({ kind: 'listed', templates: [template('shared')] }), Date.now() + 5_000);
    const after = await seen(0);
    expect(after['shared']).toEqual(before['shared']);
    expect(after['offer_1']).toMatchObject({ id: before['offer_1']?.id, whatsappStatus: 'DISABLED', isActive: false });
  });

  it('continues with the other accounts when Meta refuses or is down, and disables no template', async () => {
    await round((id) => {
      if (id === '1') throw new Error('down');
      if (id === '2') return { kind: 'refused', reason: 'no' };
      return { kind: 'listed', templates: [template('late')] };
    });
    expect((await seen(0))['shared']).toMatchObject({ isActive: true });
    expect((await seen(1))['shared']).toMatchObject({ isActive: true });
    expect((await seen(2))['late']).toMatchObject({ isActive: true });
  });

  it('continues with the other accounts when the settings of one cannot be opened, and logs that one', async () => {
    const broken = accounts[0]?.ref.id ?? '';
    await world.table.update({
      Key: itemKeys.account(broken),
      UpdateExpression: 'SET settings = :unreadable',
      ExpressionAttributeValues: { ':unreadable': new Uint8Array([9]) },
    });
    const lines = await linesOf(() => round(() => ({ kind: 'listed', templates: [template('later')] })));
    expect((await seen(1))['later']).toMatchObject({ isActive: true });
    expect((await seen(2))['later']).toMatchObject({ isActive: true });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([expect.objectContaining({ accountId: broken })]);
  });
});
