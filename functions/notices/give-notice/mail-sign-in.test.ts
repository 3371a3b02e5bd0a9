import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { mailInvitation, mailSignIn } from './mail-sign-in.ts';

let world: World;
let people: Awaited<ReturnType<typeof startPeople>>;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

const minuteMs = 60_000;

/** What lies in the inbox for this address. */
const mailsTo = async (address: string) => {
  const { emails } = (await (await fetch(`${world.ses.url}/store`)).json()) as {
    emails: { subject: string; destination: { to: string[] }; body: { text: string; html: string } }[];
  };
  return emails.filter(({ destination }) => destination.to.includes(address));
};

const needs = (clock = Date.now) => ({
  ...world,
  platformAddress: 'no-reply@platform.example',
  baseUrl: 'https://api.example.com',
  clock,
});

/** The rows of one kind that the work adds to the table. */
const rowsAdded = async (entity: string, work: () => Promise<unknown>) => {
  const rows = async () => (await world.scan()).filter((item) => item['entity'] === entity);
  const known = new Set((await rows()).map(({ PK }) => PK));
  await work();
  return (await rows()).filter(({ PK }) => !known.has(PK));
};

/** Asks to sign in, and handles the notice `afterMs` later. */
const ask = async (email: string, afterMs = 0) => {
  const [request] = await rowsAdded('sign-in', () => world.signIns.ask(email, Date.now()));
  await mailSignIn(needs(() => Date.now() + afterMs))({
    kind: 'sign-in',
    atMs: Date.now(),
    place: String(request?.['PK']),
  });
};

const origin = { address: '203.0.113.7', userAgent: 'test' };

describe('a mail to sign in', () => {
  it('goes to a person who is known, with a link that signs in once', async () => {
    await people.addOperator('ada@example.com');
    await ask('ada@example.com');
    const [mail, ...more] = await mailsTo('ada@example.com');
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Sign in to the dashboard of api.example.com');
    const [link = '', token = ''] =
      /https:\/\/api\.example\.com\/dashboard\/sign-in\/(\S+)/.exec(mail?.body.text ?? '') ?? [];
    expect(mail?.body.html).toContain(`href="${link}"`);
    expect(mail?.body.text).toContain('once, within 10 minutes');
    expect(await world.signIns.exchange(token, origin, Date.now())).toBeTruthy();
    expect(await world.signIns.exchange(token, origin, Date.now())).toBeUndefined();
  });

  it('is not sent to an address that is unknown, or a quarter of an hour after it was asked for', async () => {
    await ask('stranger@example.com');
    expect(await mailsTo('stranger@example.com')).toEqual([]);
    await people.addOperator('late@example.com');
    await ask('late@example.com', 15 * minuteMs);
    expect(await mailsTo('late@example.com')).toEqual([]);
  });
});

it('a mail to a new member names the account, the role and who added them, as text', async () => {
  const name = 'Ada’s <books>';
  const { ref } = await world.newAccount({ settings: { name } });
  const [row] = await rowsAdded('membership', () =>
    world.members.add(ref.id, {
      id: newId(Date.now()),
      email: 'new@example.com',
      role: 'viewer',
      invitedBy: 'grace@example.com',
    }),
  );
  await mailInvitation(needs())({
    kind: 'invitation',
    atMs: Date.now(),
    account: ref.id,
    PK: String(row?.['PK']),
    SK: String(row?.['SK']),
  });
  const [mail] = await mailsTo('new@example.com');
  expect(mail?.subject).toBe('You can now use the dashboard of api.example.com');
  expect(mail?.body.text).toContain(`grace@example.com has made you viewer of the account ${name}.`);
  expect(mail?.body.text).toContain('https://api.example.com/dashboard/sign-in\n');
  expect(mail?.body.html).toContain('Ada’s &lt;books&gt;');
});
