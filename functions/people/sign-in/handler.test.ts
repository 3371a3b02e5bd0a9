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

it('303 to the dashboard with a cookie, once, and afterwards only for a person who is signed in; programs that look at the link do not use it', async () => {
  await people.addOperator('ada@example.com');
  const person = (await world.members.personOf('ada@example.com')) ?? '';
  const token = await world.signIns.link({ person, email: 'ada@example.com' }, Date.now());
  const follow = async (method: string, cookies: string[] = [], sent = {}) => {
    const http = { method, sourceIp: '203.0.113.7', userAgent: 'test' };
    const event = { pathParameters: { token }, requestContext: { requestId: 'r', http }, headers: sent, cookies };
    const { statusCode, headers = {} } = await browser(signIn(world))(event as never, contextWith());
    return [statusCode, headers['Location'], headers['Cache-Control'], headers['Set-Cookie'] !== undefined];
  };
  const skype = { 'user-agent': 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5' };
  for (const looking of [follow('HEAD'), follow('GET', [], { 'sec-purpose': 'prefetch' }), follow('GET', [], skype)])
    expect(await looking).toEqual([200, undefined, 'no-store', false]);
  expect(await follow('GET')).toEqual([303, '/dashboard', 'no-store', true]);
  expect(await follow('GET')).toEqual([303, '/dashboard/sign-in?problem=expired', 'no-store', false]);
  const unknown = [`__Host-session=${makeSecret()}`];
  expect(await follow('GET', unknown)).toEqual([303, '/dashboard/sign-in?problem=expired', 'no-store', false]);
  const other = await world.signIns.link({ person, email: 'ada@example.com' }, Date.now());
  const secret = await world.signIns.exchange(other, { address: '203.0.113.7', userAgent: 'test' }, Date.now());
  expect(await follow('GET', [`__Host-session=${secret}`])).toEqual([303, '/dashboard', 'no-store', false]);
});

it('303 to a page that says so, without a cookie and without using the link, where a page of another site would make a person somebody else', async () => {
  const origin = { address: '203.0.113.7', userAgent: 'test' };
  const linkOf = async (email: string) => {
    await people.addOperator(email);
    const person = (await world.members.personOf(email)) ?? '';
    return world.signIns.link({ person, email }, Date.now());
  };
  const cookies = [
    `__Host-session=${await world.signIns.exchange(await linkOf('owner@example.com'), origin, Date.now())}`,
  ];
  const follow = async (token: string, site: string, sent = cookies) => {
    const http = { method: 'GET', sourceIp: origin.address, userAgent: 'test' };
    const headers = { 'sec-fetch-site': site };
    const event = { pathParameters: { token }, requestContext: { requestId: 'r', http }, headers, cookies: sent };
    const answer = await browser(signIn(world))(event as never, contextWith());
    return [answer.headers?.['Location'], answer.headers?.['Set-Cookie'] !== undefined];
  };
  const planted = await linkOf('stranger@example.com');
  expect(await follow(planted, 'cross-site')).toEqual(['/dashboard/sign-in?problem=other', false]);
  expect(await follow(planted, 'none')).toEqual(['/dashboard', true]);
  expect(await follow(await linkOf('owner@example.com'), 'cross-site')).toEqual(['/dashboard', true]);
  expect(await follow(await linkOf('stranger@example.com'), 'cross-site', [])).toEqual(['/dashboard', true]);
});
