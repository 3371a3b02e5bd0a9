import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostLogoBytes } from '../../../shared/checkout/logo.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import type { Surface } from '../../../shared/http/surface.ts';
import { pinnedRequest } from '../../../shared/providers/http/pinned-request.ts';
import { logoFetcher } from '../../../shared/providers/logo/fetch-logo.ts';
import { startReceiver } from '../../../shared/providers/webhook/receiver-fixture.ts';
import { call } from '../../../test/call.ts';
import { platformOperators, startWorld, type World } from '../../../test/world.ts';
import { updateAccountContract } from './contract.ts';
import { updateAccount } from './handler.ts';

let world: World;
const fetchLogo = logoFetcher(pinnedRequest({ isAllowed: () => true, mostBytes: mostLogoBytes + 1 }));
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const update = (id: string, body: unknown, callers: Surface<PeopleCaller> = platformOperators) =>
  call(endpoint(updateAccountContract, updateAccount({ ...world, fetchLogo }), callers), { path: { id }, body });

/** An owner of this account, who is no operator of the platform. */
const byOwner = (accountId: string): Surface<PeopleCaller> => ({
  ...platformOperators,
  identify: async () => ({
    headers: {},
    who: {
      caller: {
        kind: 'session',
        id: 'session',
        hash: 'hash',
        person: 'person',
        email: 'owner@example.com',
        name: null,
        isOperator: false,
        roles: { [accountId]: 'owner' },
        expiresAt: null,
      },
      lent: { actor: new Uint8Array(), sealedKey: '' },
    },
  }),
});

describe('PATCH /admin/v1/accounts/{id}', () => {
  it('200 changes the sent fields and no others', async () => {
    const { ref } = await world.newAccount();
    const before = await world.accounts.find(ref.id);
    const { status, body } = await update(ref.id, {
      status: 'frozen',
      suppressions: 'enforced',
      email: { fromName: 'Acme' },
      quietHours: { start: '21:00', end: '08:00', countries: ['BD'] },
      frequencyCap: { max: 3, windowSeconds: 3_600 },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      name: 'Test',
      status: 'frozen',
      suppressions: 'enforced',
      email: { fromAddress: 'hello@example.com', fromName: 'Acme', verifiedDomains: ['example.com'] },
      quietHours: { start: '21:00', end: '08:00', countries: ['BD'] },
      frequencyCap: { max: 3, windowSeconds: 3_600 },
    });
    expect(Date.parse(body.data.updatedAt)).toBeGreaterThan(Date.parse(before?.updatedAt ?? ''));
    expect((await update(ref.id, { quietHours: null })).body.data.quietHours).toBeNull();
  });

  it.each([
    ['status', { status: 'active' }],
    ['email.verifiedDomains', { email: { verifiedDomains: ['bank.example'] } }],
    ['sms.sender', { sms: { sender: 'Bank' } }],
    ['sms.senderKind', { sms: { senderKind: 'non_masked' } }],
    ['sms.provider', { sms: { provider: { kind: 'aws' } } }],
    ['sms.provider', { sms: { provider: null } }],
    ['webhooks.maxSubscriptions', { webhooks: { maxSubscriptions: 100 } }],
  ])('403 refuses %s from an owner of the account', async (field, changes) => {
    const { ref } = await world.newAccount();
    const before = await world.accounts.find(ref.id);
    const { status, body } = await update(ref.id, changes, byOwner(ref.id));
    expect([status, body.error.code]).toEqual([403, 'forbidden_scope']);
    expect(body.error.message).toBe(`${field}: only an operator of the platform may set this`);
    expect(await world.accounts.find(ref.id)).toEqual(before);
  });

  it('200 loses no change when two operators save at once', async () => {
    const { ref } = await world.newAccount();
    await Promise.all([
      update(ref.id, { name: 'Renamed' }),
      update(ref.id, { adminEmails: ['ops@example.com'] }),
      update(ref.id, { sms: { sender: 'ACME' } }),
    ]);
    expect(await world.accounts.find(ref.id)).toMatchObject({
      name: 'Renamed',
      adminEmails: ['ops@example.com'],
      sms: { sender: 'ACME', senderKind: 'masked' },
    });
  });

  it('200 keeps where the three gateways before wrote inbound messages, which no caller sets or sees', async () => {
    const { ref } = await world.newAccount();
    const choose = async (provider: object | null) => {
      const earlierInbound = [{ from: '/sent', text: '/sent' }];
      const { status, body } = await update(ref.id, { sms: { provider, earlierInbound } });
      expect([status, body.data.sms.earlierInbound]).toEqual([200, undefined]);
      return (await world.accounts.find(ref.id))?.sms.earlierInbound?.map(({ from }) => from);
    };
    const gateway = (from?: string) => ({
      kind: 'http',
      url: 'https://gateway.example.com',
      ...(from !== undefined && { inbound: { from, text: '/text', country: 'BD' } }),
    });
    expect(await choose(gateway())).toBeUndefined();
    expect(await choose(gateway('/a'))).toBeUndefined();
    expect(await choose({ ...gateway('/a'), method: 'PUT' })).toBeUndefined();
    expect(await choose({ kind: 'aws' })).toEqual(['/a']);
    expect(await choose(gateway('/b'))).toEqual(['/a']);
    expect(await choose(gateway('/a'))).toEqual(['/b']);
    expect(await choose(gateway())).toEqual(['/a', '/b']);
    for (const from of ['/c', '/d']) await choose(gateway(from));
    expect(await choose(null)).toEqual(['/d', '/c', '/a']);
    expect((await update(ref.id, { name: 'Renamed' })).status).toBe(200);
    expect((await world.accounts.find(ref.id))?.sms.earlierInbound).toHaveLength(3);
  });

  it('409 refuses another account’s number in any notation, until that account releases it', async () => {
    const [first, second] = [await world.newAccount(), await world.newAccount()];
    const claim = (id: string, sender: string) => update(id, { sms: { sender } });
    expect((await claim(first.ref.id, '+12065550111')).status).toBe(200);
    expect((await claim(first.ref.id, '12065550111')).status).toBe(200);
    const { status, body } = await claim(second.ref.id, '12065550111');
    expect([status, body.error.code]).toEqual([409, 'conflict']);
    expect(body.error.message).toBe('sms.sender: is already used by another account');
    expect((await world.accounts.find(second.ref.id))?.sms.sender).toBe('masked');
    expect((await claim(first.ref.id, '+12065550112')).status).toBe(200);
    expect((await claim(second.ref.id, '+12065550111')).status).toBe(200);
    expect((await claim(second.ref.id, 'Shop')).status).toBe(200);
    expect((await claim(first.ref.id, '+12065550111')).status).toBe(200);
    expect((await claim(first.ref.id, 'Shop')).status).toBe(200);
  });

  it('200 gives a number to one of many accounts that claim it concurrently', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, () => world.newAccount()));
    const answers = await Promise.all(accounts.map(({ ref }) => update(ref.id, { sms: { sender: '+12065550113' } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const owners = await world.accounts.allBySender('12065550113');
    expect(owners.map(({ id }) => id)).toEqual([accounts[answers.findIndex(({ status }) => status === 200)]?.ref.id]);
  });

  it('400 refuses quiet hours in what is no country, where no number would have them', async () => {
    const { ref } = await world.newAccount();
    const save = (countries: string[]) => update(ref.id, { quietHours: { start: '21:00', end: '08:00', countries } });
    expect((await save(['BD', 'GB', 'XK', 'AQ'])).status).toBe(200);
    for (const code of ['UK', 'EU', 'ZZ', 'XX', 'gb', 'GBR', 'é']) {
      const { status, body } = await save(['BD', code]);
      const message = 'quietHours.countries.1: must be an ISO 3166 country code';
      expect([code, status, body.error?.message]).toEqual([code, 400, message]);
    }
  });

  it('400 names every invalid field and changes nothing', async () => {
    const { ref } = await world.newAccount();
    const before = await world.accounts.find(ref.id);
    const { status, body } = await update(ref.id, {
      status: 'closed',
      adminEmails: ['nobody'],
      email: { verifiedDomains: ['not a domain'], fromName: 'a"b' },
      quietHours: { start: '25:00', end: '08:00' },
      frequencyCap: { max: 0, windowSeconds: 1 },
      sms: { sender: 'Shop\r\nX: y' },
    });
    expect(status).toBe(400);
    for (const field of [
      'status',
      'adminEmails.0',
      'email.verifiedDomains.0',
      'email.fromName',
      'quietHours.start',
      'frequencyCap.max',
      'sms.sender',
    ]) {
      expect(body.error.message).toContain(`${field}: `);
    }
    expect(await world.accounts.find(ref.id)).toEqual(before);
  });

  it('400 names the gateway that would make the account too large for an item', async () => {
    const { ref } = await world.newAccount();
    const before = await world.accounts.find(ref.id);
    const provider = { kind: 'http', url: 'https://gateway.example', answer: { code: `/${'a'.repeat(450_000)}` } };
    const { status, body } = await update(ref.id, { sms: { provider } });
    const message = 'sms.provider: all settings together must be at most 380,000 bytes of JSON';
    expect([status, body.error?.message]).toEqual([400, message]);
    expect(await world.accounts.find(ref.id)).toEqual(before);
  });

  it('400 does not show a name that is not allowed: it may be a secret', async () => {
    const { ref } = await world.newAccount();
    const provider = { kind: 'http', url: 'https://gateway.example', headers: { 'Authorization: Bearer S3CR3T': 'x' } };
    const { status, body } = await update(ref.id, { sms: { provider } });
    const message =
      'sms.provider.headers: has a name that is not allowed: it must have 1 to 100 letters, digits, hyphens and underscores';
    expect([status, body.error?.message]).toEqual([400, message]);
  });

  it.each(['a\nb', 'a\0', 'টোকেন', 'a\u2028'])(
    '400 refuses the credential %j, which is not valid in a header',
    async (secret) => {
      const { ref } = await world.newAccount();
      const meta = {
        kind: 'meta',
        phoneNumberId: '1',
        businessAccountId: '2',
        accessToken: 'a',
        appSecret: 'b',
        verifyToken: 'c',
      };
      for (const field of ['accessToken', 'appSecret', 'verifyToken']) {
        const { status, body } = await update(ref.id, { whatsapp: { provider: { ...meta, [field]: secret } } });
        expect(status).toBe(400);
        expect(body.error.message).toContain(`whatsapp.provider.${field}: `);
      }
      const http = { kind: 'http', url: 'https://gateway.example', headers: { 'X-Key': secret } };
      expect((await update(ref.id, { sms: { provider: http } })).body.error.message).toContain('X-Key: ');
    },
  );

  it('400 refuses control characters in the account’s names', async () => {
    const { ref } = await world.newAccount();
    const { body } = await update(ref.id, { name: 'a\0b', email: { fromName: 'a\u2028b' } });
    expect(body.error.message).toBe(
      'name: must not contain control characters (found U+0000); email.fromName: must not contain control characters (found U+2028)',
    );
  });

  it('404 answers an unknown id', async () => {
    expect((await update('01932f6e-8c00-7000-8000-000000000000', { name: 'x' })).body.error.code).toBe(
      'account_not_found',
    );
  });
});

describe('branding', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)]);
  const serving = async (body: Buffer, status = 200) => {
    const { port, close, received } = await startReceiver((response) => response.writeHead(status).end(body));
    return { url: `http://localhost:${port}/logo.png`, close, received };
  };
  const none = { logoUrl: null, color: null, supportEmail: null, supportPhone: null, statementName: null };

  it('200 reads the logo once, and keeps it as ours', async () => {
    const { ref } = await world.newAccount();
    const { url, close, received } = await serving(png);
    const sent = {
      logoUrl: url,
      color: '#0B5CAD',
      supportEmail: 'help@shop.example',
      supportPhone: '+880 1700-000000',
      statementName: 'DHAKA BOOKS',
    };
    const { status, body } = await update(ref.id, { branding: sent });
    expect([status, body.data.branding]).toEqual([200, { ...sent, color: '#0b5cad' }]);
    const logoId = (await world.accounts.find(ref.id))?.branding.logoId ?? '';
    const logo = await world.logos.find(logoId);
    expect([logo?.type, Buffer.from(logo?.bytes ?? '')]).toEqual(['image/png', png]);
    await update(ref.id, { branding: { color: null } });
    expect(received).toHaveLength(1);
    expect((await world.accounts.find(ref.id))?.branding).toMatchObject({ logoId, logoUrl: url, color: null });
    expect((await update(ref.id, { branding: { logoUrl: null } })).body.data.branding.logoUrl).toBeNull();
    expect((await world.accounts.find(ref.id))?.branding.logoId).toBeNull();
    await close();
  });

  it.each<[string, Buffer, number]>([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 200],
    ['a page', Buffer.from('<!doctype html>'), 200],
    ['an image of over 200 KB', Buffer.concat([png, Buffer.alloc(200 * 1_024)]), 200],
    ['a redirect', png, 302],
    ['an error', png, 404],
  ])('400 refuses %s as a logo, and changes nothing', async (_, image, answered) => {
    const { ref } = await world.newAccount();
    const { url, close } = await serving(image, answered);
    const { status, body } = await update(ref.id, { name: 'Renamed', branding: { logoUrl: url } });
    expect([status, body.error.code, body.error.message.split(':')[0]]).toEqual([
      400,
      'invalid_request',
      'branding.logoUrl',
    ]);
    expect(await world.accounts.find(ref.id)).toMatchObject({ name: 'Test', branding: none });
    await close();
  });

  it.each<[string, unknown]>([
    ['logoUrl', 'http://shop.example/logo.png'],
    ['logoUrl', 'https://user:p@shop.example/logo.png'],
    ['logoUrl', 'data:image/png;base64,AA=='],
    ['color', 'red'],
    ['color', '#fff'],
    ['color', '#0b5cad;}'],
    ['supportEmail', 'help'],
    ['supportPhone', 'call us'],
    ['statementName', 'A\nB'],
    ['statementName', ''],
  ])('400 refuses %s %j', async (field, value) => {
    const { ref } = await world.newAccount();
    const { status, body } = await update(ref.id, { branding: { [field]: value } });
    expect([status, body.error.message.split(':')[0]]).toEqual([400, `branding.${field}`]);
  });
});
