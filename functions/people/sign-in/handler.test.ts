import { afterAll, beforeAll, expect, it } from 'vitest';
import { browser } from '../../../shared/http/browser.ts';
import { makeSecret } from '../../../shared/people/secret.ts';
import { contextWith } from '../../../test/lambda-context.ts';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { signIn } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36';
const skype = 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5';

it('303 to the dashboard with a cookie, once, and afterwards only for a person who is signed in', async () => {
  await people.addOperator('ada@example.com');
  const person = (await world.members.personOf('ada@example.com')) ?? '';
  const token = await world.signIns.link({ person, email: 'ada@example.com' }, Date.now());
  const follow = async (method: string, cookies: string[] = [], sent = {}) => {
    const http = { method, sourceIp: '203.0.113.7', userAgent: 'test' };
    const event = { pathParameters: { token }, requestContext: { requestId: 'r', http }, headers: sent, cookies };
    const { statusCode, headers = {} } = await browser(signIn(world))(event as never, contextWith());
    return [statusCode, headers['Location'], headers['Cache-Control'], headers['Set-Cookie'] !== undefined];
  };
  expect(await follow('GET')).toEqual([303, '/dashboard', 'no-store', true]);
  expect(await follow('GET')).toEqual([303, '/dashboard/sign-in?problem=expired', 'no-store', false]);
  const unknown = [`__Host-session=${makeSecret()}`];
  expect(await follow('GET', unknown)).toEqual([303, '/dashboard/sign-in?problem=expired', 'no-store', false]);
  const other = await world.signIns.link({ person, email: 'ada@example.com' }, Date.now());
  const secret = await world.signIns.exchange(other, { address: '203.0.113.7', userAgent: 'test' }, Date.now());
  expect(await follow('GET', [`__Host-session=${secret}`])).toEqual([303, '/dashboard', 'no-store', false]);
});

it('303 to a page that says so, without a cookie and without using the link, where a page of another site or of ours would make a person somebody else', async () => {
  const origin = { address: '203.0.113.7', userAgent: 'test' };
  const linkOf = async (email: string) => {
    await people.addOperator(email);
    const person = (await world.members.personOf(email)) ?? '';
    return world.signIns.link({ person, email }, Date.now());
  };
  const cookies = [
    `__Host-session=${await world.signIns.exchange(await linkOf('owner@example.com'), origin, Date.now())}`,
  ];
  const follow = async (token: string, site: string, sent = cookies, userAgent = 'test', method = 'GET') => {
    const http = { method, sourceIp: origin.address, userAgent };
    const headers = { 'sec-fetch-site': site, 'user-agent': userAgent };
    const event = { pathParameters: { token }, requestContext: { requestId: 'r', http }, headers, cookies: sent };
    const answer = await browser(signIn(world))(event as never, contextWith());
    return [answer.headers?.['Location'], answer.headers?.['Set-Cookie'] !== undefined];
  };
  const planted = await linkOf('stranger@example.com');
  expect(await follow(planted, 'cross-site')).toEqual(['/dashboard/sign-in?problem=other', false]);
  expect(await follow(planted, 'cross-site', cookies, chrome)).toEqual(['/dashboard/sign-in?problem=other', false]);
  // The checkout's page goes on to a `successUrl`, which may be of our own host.
  for (const site of ['same-origin', 'same-site'])
    expect(await follow(planted, site)).toEqual(['/dashboard/sign-in?problem=other', false]);
  expect(await follow(planted, 'same-origin', cookies, chrome, 'POST')).toEqual([
    '/dashboard/sign-in?problem=other',
    false,
  ]);
  // After a sign-out, the person can use it all the same.
  expect(await follow(await linkOf('stranger@example.com'), 'same-origin', [], chrome, 'POST')).toEqual([
    '/dashboard',
    true,
  ]);
  expect(await follow(planted, 'none')).toEqual(['/dashboard', true]);
  expect(await follow(await linkOf('owner@example.com'), 'cross-site')).toEqual(['/dashboard', true]);
  expect(await follow(await linkOf('stranger@example.com'), 'cross-site', [])).toEqual(['/dashboard', true]);
});

/** Follows one link to a person of their own. */
const startLink = async (email: string, reusable?: string) => {
  await people.addOperator(email);
  const person = (await world.members.personOf(email)) ?? '';
  const token = await world.signIns.link({ person, email }, Date.now(), reusable);
  return async (method: string, headers = {}, cookies: string[] = []) => {
    const http = { method, sourceIp: '203.0.113.7', userAgent: 'test' };
    const event = { pathParameters: { token }, requestContext: { requestId: 'r', http }, headers, cookies };
    const answer = await browser(signIn(world))(event as never, contextWith());
    return { status: answer.statusCode, text: answer.body ?? '', headers: answer.headers ?? {} };
  };
};

it.each([
  ['HEAD', {}],
  ['prefetch', { 'sec-purpose': 'prefetch' }],
  ['preview', { 'user-agent': skype }],
  ['mail scanner that calls itself a browser', { 'user-agent': chrome }],
  ['script of a page', { 'user-agent': chrome, 'sec-fetch-dest': 'empty' }],
])('200 shows a %s a page whose button uses the link, which is not used before', async (name, headers) => {
  const follow = await startLink(`${name.replaceAll(' ', '-').toLowerCase()}@example.com`);
  const shown = await follow(name === 'HEAD' ? name : 'GET', headers);
  expect(shown).toMatchObject({ status: 200, headers: { 'Cache-Control': 'no-store' } });
  expect(shown.text).toMatch(/<form method="post">\s*<button>Sign in<\/button>\s*<\/form>/);
  expect(shown.headers['Set-Cookie']).toBeUndefined();
  const pressed = await follow('POST', { ...headers, 'sec-fetch-site': 'same-origin' });
  expect(pressed).toMatchObject({ status: 303, headers: { Location: '/dashboard' } });
  expect(pressed.headers['Set-Cookie']).toMatch(/^__Host-session=/);
});

it('200 shows a page that runs and loads nothing, in light and dark, and lets older browsers say that its form is ours', async () => {
  const { text, headers } = await (await startLink('page@example.com'))('HEAD');
  expect(text).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>[\s\S]*<main>\s*<h1>[^<]+<\/h1>/);
  expect(text).toContain('color-scheme:light dark');
  expect(headers['Content-Security-Policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
  );
  // With `no-referrer`, a browser sends `Origin: null` with a form.
  expect(headers['Referrer-Policy']).toBe('same-origin');
});

it('303 at once for the navigation of a browser, and for a program that does not call itself one', async () => {
  for (const [email, headers] of [
    ['navigation@example.com', { 'user-agent': chrome, 'sec-fetch-dest': 'document' }],
    ['curl@example.com', { 'user-agent': 'curl/8.5.0' }],
    ['node@example.com', { 'user-agent': 'node', 'sec-fetch-mode': 'cors' }],
  ] as const)
    expect(await (await startLink(email))('GET', headers)).toMatchObject({
      status: 303,
      headers: { Location: '/dashboard', 'Set-Cookie': expect.any(String) },
    });
});

it('303 at once at a link that can be used again, as the local stack has one, unless it is prefetched', async () => {
  const follow = await startLink('local@example.com', makeSecret());
  for (const _ of [1, 2]) expect(await follow('GET', { 'user-agent': chrome })).toMatchObject({ status: 303 });
  expect(await follow('GET', { 'user-agent': chrome, purpose: 'prefetch' })).toMatchObject({ status: 200 });
});

it('403 for the form of another site, which does not use the link', async () => {
  const follow = await startLink('forged@example.com');
  const host = { host: 'pay.example.com', 'user-agent': chrome };
  for (const forged of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }])
    expect((await follow('POST', { ...host, ...forged })).status).toBe(403);
  const ofOlderBrowser = { ...host, origin: 'https://pay.example.com' };
  expect(await follow('POST', ofOlderBrowser)).toMatchObject({ status: 303, headers: { Location: '/dashboard' } });
});
