import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { hasSign, parseForeign } from '../../../shared/kit/json-pointer.ts';
import { metaFailure } from '../../../shared/messages/meta-codes.ts';
import { eventually, runApart, sigkill, temporaryDirectory } from '../emulators-fixture.ts';
import { providersAt, type Report, readTexts, startApi, startTestPhones } from './phones-fixture.ts';

const accountId = '0191e6a4-7c3b-7000-8000-000000000001';
const phone = '+8801700000000';
const textTo = (to: string, messageId = 'm-1') => ({
  messageId,
  accountId,
  to,
  text: 'Hi <b>Zoë</b>',
  reportUrl: `https://elsewhere.example/callbacks/sms-reports/token-${messageId}`,
});

const start = async (statuses: number[] = []) => {
  const api = await startApi(statuses);
  const phones = await startTestPhones({ dataDirectory: await temporaryDirectory(), apiUrl: api.url });
  return { ...phones, ...providersAt(phones.url), reports: api.reports };
};

const graphError = z.object({ error: z.object({ code: z.number() }) });
const templatePage = z.object({
  data: z.array(z.object({ name: z.string(), language: z.string(), status: z.string() })),
  paging: z.object({ next: z.string().optional() }),
});

const statusesIn = (reports: readonly Report[]) =>
  reports.map(({ body }) => JSON.parse(body).entry[0].changes[0].value.statuses[0]);

describe('an sms', () => {
  it('is caught, and reported as delivered to the path of its report URL', async () => {
    const { url, sms, smsSettings, reports } = await start();
    const outcome = await sms.send(textTo(phone));
    expect(outcome).toMatchObject({ kind: 'accepted', reference: expect.stringMatching(/^[\w-]{24}$/) });
    await eventually(() => expect(reports).toHaveLength(1));
    expect(reports[0]?.path).toBe('/callbacks/sms-reports/token-m-1');
    const report = parseForeign(reports[0]?.body ?? '');
    expect(smsSettings.report && hasSign(report, smsSettings.report.delivered)).toBe(true);
    await eventually(async () =>
      expect(await readTexts(url)).toEqual({
        texts: [
          {
            id: outcome.kind === 'accepted' && outcome.reference,
            channel: 'sms',
            to: phone,
            from: 'Shop',
            text: 'Hi <b>Zoë</b>',
            messageId: 'm-1',
            status: 'delivered',
            at: expect.stringMatching(/^\d{4}-.*Z$/),
          },
        ],
      }),
    );
  });

  it('is sent once, however often it is submitted', async () => {
    const { url, sms, reports } = await start();
    const first = await sms.send(textTo(phone));
    expect(await Promise.all([sms.send(textTo(phone)), sms.send(textTo(phone))])).toEqual([first, first]);
    await eventually(() => expect(reports).toHaveLength(1));
    expect(await readTexts(url)).toMatchObject({ texts: [{ messageId: 'm-1' }] });
  });

  it('to a number ending 0001 is refused, and not caught', async () => {
    const { url, sms, reports } = await start();
    expect(await sms.send(textTo('+8801700000001'))).toEqual({
      kind: 'refused',
      code: 'unknown_subscriber',
      reason: 'The number is not in service.',
    });
    expect([await readTexts(url), reports]).toEqual([{ texts: [] }, []]);
  });

  it.each([
    ['+8801700000002', 'failed', 'absent_subscriber'],
    ['+8801700000004', 'rejected', 'carrier_rule'],
  ] as const)('to %s is accepted, and reported as %s', async (to, status, code) => {
    const { sms, smsSettings, reports } = await start();
    expect(await sms.send(textTo(to))).toMatchObject({ kind: 'accepted' });
    await eventually(() => expect(reports).toHaveLength(1));
    const report = parseForeign(reports[0]?.body ?? '');
    const sign = smsSettings.report?.[status];
    expect(sign && hasSign(report, sign)).toBe(true);
    expect(report).toMatchObject({ code, reason: expect.any(String) });
  });

  it('to a number ending 0003 is accepted at the third attempt of each message', async () => {
    const { sms } = await start();
    for (const messageId of ['m-1', 'm-2']) {
      const outcomes = [];
      for (let n = 0; n < 4; n += 1) outcomes.push((await sms.send(textTo('+8801700000003', messageId))).kind);
      expect(outcomes).toEqual(['unknown', 'unknown', 'accepted', 'accepted']);
    }
  });

  it('is refused when it is malformed', async () => {
    const { url } = await start();
    for (const body of ['', '{', '{"to":"880"}', '[]']) {
      const answer = await fetch(`${url}/sms`, { method: 'POST', body });
      expect([answer.status, await answer.json()]).toMatchObject([400, { status: 'refused', code: 'invalid_request' }]);
    }
  });
});

describe('a WhatsApp message', () => {
  it('is caught, and reported as sent, delivered and read, under Meta’s signature', async () => {
    const { url, whatsapp, whatsappSettings, reports } = await start();
    const outcome = await whatsapp.send(textTo(phone));
    expect(outcome).toMatchObject({ kind: 'accepted', reference: expect.stringMatching(/^wamid\./) });
    await eventually(() => expect(reports).toHaveLength(3));
    for (const { path, headers, body } of reports) {
      expect(path).toBe(`/callbacks/whatsapp/${accountId}`);
      const signature = createHmac('sha256', whatsappSettings.appSecret).update(body).digest('hex');
      expect(headers['x-hub-signature-256']).toBe(`sha256=${signature}`);
      expect(JSON.parse(body)).toMatchObject({
        object: 'whatsapp_business_account',
        entry: [
          {
            id: whatsappSettings.businessAccountId,
            changes: [{ field: 'messages', value: { metadata: { phone_number_id: whatsappSettings.phoneNumberId } } }],
          },
        ],
      });
    }
    expect(statusesIn(reports)).toEqual(
      ['sent', 'delivered', 'read'].map((status) => ({
        id: outcome.kind === 'accepted' && outcome.reference,
        status,
        timestamp: expect.stringMatching(/^\d{10}$/),
        recipient_id: '8801700000000',
        biz_opaque_callback_data: `${accountId}:m-1`,
      })),
    );
    await eventually(async () =>
      expect(await readTexts(url)).toMatchObject({
        texts: [{ channel: 'whatsapp', to: phone, messageId: 'm-1', status: 'read' }],
      }),
    );
  });

  it('is sent as often as it is submitted, as Meta does', async () => {
    const { url, whatsapp } = await start();
    await whatsapp.send(textTo(phone));
    await whatsapp.send(textTo(phone));
    expect(await readTexts(url)).toMatchObject({ texts: [{ messageId: 'm-1' }, { messageId: 'm-1' }] });
  });

  it('to a number ending 0001 is refused', async () => {
    const { whatsapp } = await start();
    expect(await whatsapp.send(textTo('+8801700000001'))).toMatchObject({ kind: 'refused', code: 'undeliverable' });
  });

  it.each([
    ['+8801700000002', 'deliveryFailed'],
    ['+8801700000004', 'contentRejected'],
  ])('to %s is accepted, then reported as failed in a way that means %s', async (to, trigger) => {
    const { whatsapp, reports } = await start();
    expect(await whatsapp.send(textTo(to))).toMatchObject({ kind: 'accepted' });
    await eventually(() => expect(reports).toHaveLength(1));
    const [status] = statusesIn(reports);
    expect(status.status).toBe('failed');
    expect(metaFailure(status.errors[0].code).trigger).toBe(trigger);
  });

  it('to a number ending 0003 is accepted at the third attempt', async () => {
    const { whatsapp } = await start();
    const outcomes = [];
    for (let n = 0; n < 3; n += 1) outcomes.push((await whatsapp.send(textTo('+8801700000003'))).kind);
    expect(outcomes).toEqual(['unavailable', 'unavailable', 'accepted']);
  });

  it('requires the account’s access token, its number and a text', async () => {
    const {
      url,
      whatsappSettings: { graphUrl, phoneNumberId, accessToken },
    } = await start();
    const post = async (path: string, authorization: string, body: string) => {
      const answer = await fetch(`${graphUrl}/${path}/messages`, { method: 'POST', headers: { authorization }, body });
      return [answer.status, graphError.parse(await answer.json()).error.code];
    };
    expect(graphUrl.startsWith(url)).toBe(true);
    const good = `Bearer ${accessToken}`;
    expect(await post(phoneNumberId, 'Bearer other', '{}')).toEqual([401, 190]);
    expect(await post('1', good, '{}')).toEqual([400, 100]);
    expect(await post(phoneNumberId, good, '{"type":"image"}')).toEqual([400, 100]);
    expect(await post(phoneNumberId, good, '<')).toEqual([400, 100]);
  });
});

describe('message templates', () => {
  it('are listed in pages, in several statuses and languages', async () => {
    const {
      whatsappSettings: { graphUrl, businessAccountId, accessToken },
    } = await start();
    const authorization = `Bearer ${accessToken}`;
    const templates: z.output<typeof templatePage>['data'] = [];
    let next: string | undefined = `${graphUrl}/${businessAccountId}/message_templates?limit=3`;
    let pages = 0;
    while (next) {
      const answer = templatePage.parse(await (await fetch(next, { headers: { authorization } })).json());
      templates.push(...answer.data);
      next = answer.paging.next;
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(new Set(templates.map(({ name, language }) => `${name} ${language}`)).size).toBe(templates.length);
    expect(new Set(templates.map(({ language }) => language)).size).toBe(2);
    expect(templates.map(({ status }) => status)).toEqual(
      expect.arrayContaining(['APPROVED', 'PENDING', 'REJECTED', 'PAUSED']),
    );
    expect((await fetch(`${graphUrl}/${businessAccountId}/message_templates`)).status).toBe(401);
  });
});

describe('status notifications of a text', () => {
  it('are repeated until the API accepts them, and the next one is sent only then', async () => {
    const { whatsapp, reports } = await start([500, 503]);
    await whatsapp.send(textTo(phone));
    await eventually(() => expect(reports).toHaveLength(5));
    expect(statusesIn(reports).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent', 'delivered', 'read']);
  });

  it('are sent after the delay', async () => {
    const api = await startApi();
    const options = { dataDirectory: await temporaryDirectory(), apiUrl: api.url, simulatorDelayMs: 400 };
    const { url } = await startTestPhones(options);
    const sentAtMs = Date.now();
    await providersAt(url).sms.send(textTo(phone));
    await eventually(() => expect(api.reports).toHaveLength(1));
    expect(Date.now() - sentAtMs).toBeGreaterThanOrEqual(400);
  });

  it('survive a kill of the process, and reach the API at its new port', async () => {
    const dataDirectory = await temporaryDirectory();
    const { child, line } = await runApart(`
      const { openPhones } = await import(${JSON.stringify(new URL('phones.ts', import.meta.url).href)});
      const { serveLocally } = await import(${JSON.stringify(new URL('local-server.ts', import.meta.url).href)});
      const phones = openPhones({ dataDirectory: ${JSON.stringify(dataDirectory)}, apiUrl: 'http://127.0.0.1:9', takeReply: async () => 200 });
      const { port } = await serveLocally(phones.routes, 0);
      console.log('http://localhost:' + port);`);
    const { sms, whatsapp } = providersAt(line);
    const first = await sms.send(textTo(phone));
    await whatsapp.send(textTo(phone, 'm-2'));
    await sms.send(textTo('+8801700000003', 'm-3'));
    await sigkill(child);

    const api = await startApi();
    const { url } = await startTestPhones({ dataDirectory, apiUrl: api.url });
    await eventually(() => expect(api.reports).toHaveLength(4));
    await eventually(async () =>
      expect(await readTexts(url)).toMatchObject({
        texts: [
          { messageId: 'm-2', status: 'read' },
          { messageId: 'm-1', status: 'delivered' },
        ],
      }),
    );
    const again = providersAt(url).sms;
    expect(await again.send(textTo(phone))).toEqual(first);
    expect((await again.send(textTo('+8801700000003', 'm-3'))).kind).toBe('unknown');
    expect((await again.send(textTo('+8801700000003', 'm-3'))).kind).toBe('accepted');
  });
});
