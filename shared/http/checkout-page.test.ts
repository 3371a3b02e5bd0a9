import { expect, it } from 'vitest';
import { asPerson, type PageCall, visitPage } from '../../test/page-calls.ts';
import { Fault, Unavailable } from '../kit/fault.ts';
import { checkoutPage, checkoutPageHeaders, type PageVisit } from './checkout-page.ts';

const anyone = { identify: async () => ({ who: {}, headers: { 'Retry-After': '7' } }) };
const trouble = (language: string, code: string, hasAddress: boolean) => `${language} ${code} ${hasAddress}`;

/** The visit as a handler gets it. */
const visitOf = async (call: PageCall): Promise<PageVisit> => {
  const visits: PageVisit[] = [];
  const handler = checkoutPage(
    async (visit) => {
      visits.push(visit);
      return { html: '' };
    },
    { payers: anyone, trouble },
  );
  await visitPage(handler, call);
  const [visit] = visits;
  if (!visit) throw new Error('the handler was not asked');
  return visit;
};

const answering = (answer: Awaited<ReturnType<Parameters<typeof checkoutPage>[0]>>) =>
  visitPage(checkoutPage(async () => answer, { payers: anyone, trouble }));

const throwing = (thrown: Error, call: PageCall = {}) =>
  visitPage(
    checkoutPage(
      async () => {
        throw thrown;
      },
      { payers: anyone, trouble },
    ),
    call,
  );

it('reads the path, the query and a form', async () => {
  const visit = await visitOf({ path: { id: 'x' }, query: { returned: '1' }, form: { a: 'ক &=+', begun: '0' } });
  expect(visit).toMatchObject({ path: { id: 'x' }, query: { returned: '1' }, form: { a: 'ক &=+', begun: '0' } });
});

it('prefers the language of the query to the remembered one, and that to the browser’s', async () => {
  const headers = { 'accept-language': 'bn' };
  expect((await visitOf({ headers })).language).toBe('bn');
  expect((await visitOf({ headers, cookies: ['a=b', 'lang=en'] })).language).toBe('en');
  expect((await visitOf({ headers, cookies: ['lang=en'], query: { lang: 'bn' } })).language).toBe('bn');
  expect((await visitOf({ headers, cookies: ['lang=xx'], query: { lang: '<b>' } })).language).toBe('bn');
});

it('remembers a chosen language, and nothing else', async () => {
  const handler = checkoutPage(async () => ({ html: '' }), { payers: anyone, trouble });
  expect((await visitPage(handler, { query: { lang: 'bn' } })).cookies).toEqual([
    'lang=bn; Path=/checkout; Max-Age=86400; Secure; HttpOnly; SameSite=Lax',
  ]);
  expect((await visitPage(handler, { query: { lang: 'xx' } })).cookies).toEqual([]);
  expect((await visitPage(handler)).cookies).toEqual([]);
});

it.each([
  [{ 'sec-purpose': 'prefetch;prerender' }, true],
  [{ purpose: 'prefetch' }, true],
  [{ 'x-moz': 'prefetch' }, true],
  [{ 'sec-fetch-mode': 'navigate' }, false],
])('knows by %j whether a browser only guesses', async (headers, isPrefetchOrHead) => {
  expect((await visitOf({ headers })).isPrefetchOrHead).toBe(isPrefetchOrHead);
});

it('recognises that a HEAD requests headers only', async () => {
  expect(await visitOf({ headers: asPerson, method: 'HEAD' })).toMatchObject({
    isPrefetchOrHead: true,
    isNavigation: false,
  });
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
it.each([
  [firefox, true],
  [undefined, true],
  ['WhatsApp/2.23.20.0', false],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', false],
  ['Twitterbot/1.0', false],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', false],
  ['TelegramBot (like TwitterBot)', false],
  ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', false],
  ['LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)', false],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', false],
  ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5', false],
  ['Viber/13.3', false],
  ['Mattermost-Bot/1.1', false],
  ['Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)', false],
  ['Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots', false],
  ['Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 Chrome/98.0 Mobile Safari/537.36', true],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36 [Pinterest/Android]',
    true,
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Snapchat/13.9', true],
  [
    'Mozilla/5.0 (Linux; Android 10; SM-A105F) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36 WhatsApp/2.23',
    true,
  ],
])('knows by %j whether a person has opened the page', async (agent, isNavigation) => {
  const headers = { ...asPerson, ...(agent !== undefined && { 'user-agent': agent }) };
  expect((await visitOf({ headers })).isNavigation).toBe(isNavigation);
  const { 'sec-fetch-dest': _, 'sec-fetch-mode': __, 'sec-fetch-user': ___, ...ofOldBrowser } = headers;
  expect((await visitOf({ headers: ofOldBrowser })).isNavigation).toBe(isNavigation);
  // As Node's `fetch` asks.
  expect((await visitOf({ headers: { ...ofOldBrowser, 'sec-fetch-mode': 'cors' } })).isNavigation).toBe(isNavigation);
  for (const use of ['empty', 'image', 'iframe'])
    expect((await visitOf({ headers: { ...headers, 'sec-fetch-dest': use } })).isNavigation).toBe(false);
});

it('sends every answer with the same security headers, in addition to its own', async () => {
  const common = { ...checkoutPageHeaders, 'Retry-After': '7', 'X-Request-Id': 'test-request' };
  expect(await answering({ html: 'page' })).toMatchObject({ status: 200, text: 'page', headers: common });
  expect((await answering({ html: 'page' })).headers).toEqual(common);
  expect(await answering({ seeOther: '/there' })).toMatchObject({
    status: 303,
    text: '',
    headers: { ...common, Location: '/there' },
  });
  expect((await throwing(new Fault('session_not_found', 'No.'))).headers).toEqual(common);
});

it('leads a browser on to another URL at once', async () => {
  const { headers } = await answering({ html: '', leadsTo: 'https://shop.example/a?b=c;d' });
  expect(headers['Refresh']).toBe('0; url=https://shop.example/a?b=c;d');
});

it('answers refusals with a page: 404, 429, 503, and 500 without details', async () => {
  const refused = await throwing(new Fault('session_not_found', 'No.'));
  expect(refused).toMatchObject({ status: 404, text: 'en session_not_found true' });
  expect(await throwing(new Error('secret'), { query: { lang: 'bn' } })).toMatchObject({
    status: 500,
    text: 'bn internal_error true',
  });
  expect(await throwing(new Error('secret'), { form: {} })).toMatchObject({ text: 'en internal_error false' });
  const busy = await throwing(new Unavailable('busy'));
  expect(busy).toMatchObject({ status: 503, text: 'en internal_error true', headers: { 'Retry-After': '1' } });
  const refusal = new Fault('rate_limited', 'Wait.');
  const crowded = { identify: async () => ({ headers: { 'Retry-After': '7' }, refusal }) };
  const handler = checkoutPage(async () => ({ html: '' }), { payers: crowded, trouble });
  expect(await visitPage(handler)).toMatchObject({ status: 429, headers: { 'Retry-After': '7' } });
});

it.each([
  ['utm=%E0%A6&returned=1', { returned: '1' }],
  ['lang=%ff&a=%C3%A9&b=100%', { a: 'é', b: '100%' }],
  ['%ff=1', {}],
])('a page is shown without the query parameters that cannot be decoded: ?%s', async (query, read) => {
  expect(await visitOf({ query })).toMatchObject({ query: read, language: 'en', chosenLanguage: undefined });
  expect((await visitOf({ query })).query).toEqual(read);
});

it.each(['a=%ff', 'a=%ED%A0%80', Buffer.from([0x61, 0x3d, 0xff])])(
  'a field of a form that cannot be decoded has a value that nothing has: %s',
  async (form) => {
    expect((await visitOf({ form })).form['a']).toMatch(/^\ufffd+$/);
  },
);

it('503 has a Retry-After when the service is unavailable', async () => {
  const busy = await throwing(new Unavailable('busy', { retryAfterSeconds: 3 }));
  expect([busy.status, busy.headers['Retry-After'], busy.text]).toEqual([503, '3', 'en internal_error true']);
});
