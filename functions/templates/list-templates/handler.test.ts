import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { newTemplate, type Template } from '../../../shared/templates/template.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { listTemplatesContract } from './contract.ts';
import { listTemplates } from './handler.ts';

let world: World;
let account: TestAccount;
/** Newest-updated first within each channel. */
let emails: Template[];
let texts: Template[];
let synced: Template[];

const atMs = Date.UTC(2026, 10, 20);
const email = (name: string, nth: number) => newTemplate({ channel: 'email', name, subject: 's' }, newId(atMs + nth));
const sms = (name: string, nth: number) => newTemplate({ channel: 'sms', name }, newId(atMs + nth));

beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  emails = [email('newer', 5), email('older', 0)];
  texts = [sms('newer', 4), sms('older', 1)];
  const old: Template = { ...sms('synced', 2), channel: 'whatsapp', locale: 'bn-BD', whatsappStatus: 'APPROVED' };
  synced = [
    { ...old, updatedAt: '2026-12-01T00:00:00.000Z' },
    { ...sms('second', 3), channel: 'whatsapp', whatsappStatus: 'REJECTED' },
  ];
  for (const template of [...emails, ...texts, ...synced])
    await world.templates.put(account.ref, template, { text: 'secret' });
});
afterAll(() => world.close());

const list = (query: Readonly<Record<string, string>> = {}, key = account.key) =>
  call(endpoint(listTemplatesContract, listTemplates(world), world.callers('templates:read')), { key, query });

describe('GET /templates', () => {
  it('200 lists every template, the newest-updated first within each channel, without pagination or bodies', async () => {
    const { status, body, text } = await list();
    expect([status, body]).toEqual([200, { data: [...emails, ...texts, ...synced] }]);
    expect(text).not.toContain('secret');
  });

  it('200 lists one channel', async () => {
    expect((await list({ channel: 'email' })).body).toEqual({ data: emails });
    expect((await list({ channel: 'sms' })).body).toEqual({ data: texts });
    expect((await list({ channel: 'whatsapp' })).body).toEqual({ data: synced });
  });

  it('200 lists nothing of another account', async () => {
    const other = await world.newAccount();
    expect((await list({}, other.key)).body).toEqual({ data: [] });
  });

  it('200 ignores what it does not know', async () => {
    expect((await list({ limit: '1', page: 'x' })).body.data).toHaveLength(6);
  });

  it.each(['', 'EMAIL', 'push', 'email,sms'])('400 refuses the channel "%s"', async (channel) => {
    const { status, body } = await list({ channel });
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'invalid_request',
      'channel: must be one of email, sms, whatsapp',
    ]);
  });

  it('400 refuses a list of over 2.5 MB, and lists one channel of it', async () => {
    const { ref, key } = await world.newAccount();
    // Wider than the API takes them, or it would take hundreds.
    const wide = { description: '😀'.repeat(25_000) };
    const many = Array.from({ length: 30 }, (_, n) => ({ ...email(`wide ${n}`, n), ...wide }));
    for (const template of [...many.map((one) => ({ ...one, channel: 'sms' as const })), ...many.slice(0, 3)])
      await world.templates.put(ref, { ...template, id: newId(atMs) }, {});
    const [all, sms, emails] = [
      await list({}, key),
      await list({ channel: 'sms' }, key),
      await list({ channel: 'email' }, key),
    ];
    for (const { status, body } of [all, sms]) expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(emails.body.data).toHaveLength(3);
  });
});
