import { describe, expect, it } from 'vitest';
import { idOfBytes } from '../../../shared/kit/id.ts';
import { providersAt, readTexts, startApi, startTestPhones } from '../emulators/phones-fixture.ts';
import { temporaryDirectory } from '../emulators-fixture.ts';
import type { TakeReply } from './phones.ts';

const phone = '+8801700000000';
const accountId = '0191e6a4-7c3b-7000-8000-000000000001';

/** Phones whose replies are answered with this status. */
const start = async (status = 200) => {
  const replies: Parameters<TakeReply>[] = [];
  const { url } = await startTestPhones({
    dataDirectory: await temporaryDirectory(),
    apiUrl: (await startApi()).url,
    takeReply: async (...reply) => {
      replies.push(reply);
      return status;
    },
  });
  const { sms, whatsapp } = providersAt(url);
  const reply = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${url}/phones/${phone}/replies`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
      redirect: 'manual',
    });
  const read = async (path: string) => (await fetch(url + path)).text();
  return { url, sms, whatsapp, replies, reply, read };
};

const token = Buffer.concat([Buffer.from(accountId.replaceAll('-', ''), 'hex'), Buffer.alloc(48)]).toString(
  'base64url',
);

const textTo = (to: string, messageId = 'm-1') => ({
  messageId,
  accountId,
  to,
  text: 'Hi <b>Zoë</b>',
  reportUrl: `https://elsewhere.example/callbacks/sms-reports/${token}`,
});

describe('the list of phones', () => {
  it('explains its purpose while there is no text', async () => {
    const { read } = await start();
    expect(await read('/phones')).toContain('No texts yet');
  });

  it('has each phone once, that of the latest text first, with all markup escaped', async () => {
    const { url, sms, whatsapp, read } = await start();
    await sms.send(textTo(phone));
    await sms.send({ ...textTo('+8801700000009', 'm-2'), text: 'Other' });
    await whatsapp.send({ ...textTo(phone, 'm-3'), text: '<i>Latest</i>' });
    const page = await read('/phones');
    expect(page.match(/<li id="phone-/g)).toHaveLength(2);
    expect(page).toContain('whatsapp: <bdi>&lt;i&gt;Latest&lt;/i&gt;</bdi>');
    expect(page.indexOf('id="phone-8801700000009"')).toBeGreaterThan(page.indexOf('id="phone-8801700000000"'));
    const policy = (await fetch(`${url}/phones`)).headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'/);
  });

  it('is narrowed to phones with a text that contains all words of a search', async () => {
    const { sms, read } = await start();
    await sms.send(textTo(phone));
    await sms.send({ ...textTo('+8801700000009', 'm-2'), text: 'Your code is 1234' });
    const found = async (search: string) =>
      [...(await read(`/phones?search=${encodeURIComponent(search)}`)).matchAll(/id="phone-(\d+)"/g)].map(
        ([, id]) => id,
      );
    expect(await found('CODE 1234')).toEqual(['8801700000009']);
    expect(await found('+8801700000000')).toEqual(['8801700000000']);
    expect(await found('code zoë')).toEqual([]);
  });

  it('leads to the phone that was asked for, also to one without texts', async () => {
    const { url, read } = await start();
    const answer = await fetch(`${url}/phones?${new URLSearchParams({ number: '+880 1700-000009' })}`);
    expect(answer.url).toBe(`${url}/phones/+8801700000009`);
    expect(await read('/phones/+8801700000009')).toContain('Reply as the phone');
    expect((await fetch(`${url}/phones/017`)).status).toBe(404);
  });
});

describe('a reply of a phone', () => {
  it('goes to the account that wrote to it last by this channel, and is shown in the conversation', async () => {
    const { sms, whatsapp, reply, replies, read, url } = await start();
    await sms.send(textTo(phone));
    await whatsapp.send({ ...textTo(phone, 'm-2'), accountId: idOfBytes(Buffer.alloc(16, 7)) });
    expect((await reply({ channel: 'sms', text: ' Is <it> here? ' })).status).toBe(303);
    expect((await reply({ channel: 'whatsapp', word: 'STOP', text: 'half typed' })).status).toBe(303);
    expect(replies).toEqual([
      [{ channel: 'sms', from: phone, text: 'Is <it> here?' }, accountId],
      [{ channel: 'whatsapp', from: phone, text: 'STOP' }, idOfBytes(Buffer.alloc(16, 7))],
    ]);
    const page = await read(`/phones/${phone}`);
    const order = ['Hi &lt;b&gt;', 'Is &lt;it&gt; here?', '<bdi>STOP</bdi></p>'].map((text) => page.lastIndexOf(text));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(page).not.toContain('<it>');
    expect(await readTexts(url)).toMatchObject({ texts: [{ messageId: 'm-2' }, { messageId: 'm-1' }] });
  });

  it('goes to a named account, or to the demo account if no account has written', async () => {
    const { reply, replies } = await start();
    await reply({ channel: 'sms', text: 'START' });
    await reply({ channel: 'sms', text: 'START', account: accountId });
    expect(replies.map(([, account]) => account)).toEqual([undefined, accountId]);
  });

  it('is not shown when the API refuses it, and says so', async () => {
    const { reply, read } = await start(404);
    const answer = await reply({ channel: 'sms', text: 'STOP now' });
    expect([answer.status, await answer.text()]).toEqual([502, 'The API answered 404. Its log says why.']);
    expect(await read(`/phones/${phone}`)).not.toContain('STOP now');
  });

  it.each([
    [400, {}, { channel: 'sms', text: ' ' }],
    [400, {}, { channel: 'sms', text: 'x'.repeat(1_601) }],
    [400, {}, { channel: 'email', text: 'STOP' }],
    [403, { 'sec-fetch-site': 'cross-site' }, { channel: 'sms', text: 'STOP' }],
  ])('is refused with %i when it is %j %j', async (status, headers, form) => {
    const { reply, replies } = await start();
    expect((await reply(form, headers)).status).toBe(status);
    expect(replies).toEqual([]);
  });
});
