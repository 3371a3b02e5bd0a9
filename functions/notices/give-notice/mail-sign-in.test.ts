import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../shared/kit/time-units.ts';
import type { Mail } from '../../../shared/messages/mail.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import { startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { automatic, mailsTo } from './inbox-fixture.ts';
import { mailSignIn } from './mail-sign-in.ts';

let world: World;
let people: Awaited<ReturnType<typeof startPeople>>;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

const needs = (clock = Date.now) => ({
  ...world,
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
    const [mail, ...more] = await mailsTo(world, 'ada@example.com');
    expect(more).toEqual([]);
    expect(mail?.from).toBe(world.peopleAddress);
    expect(mail?.headers).toContainEqual(automatic);
    expect(mail?.subject).toBe('Sign in to the dashboard of api.example.com');
    const [link = '', token = ''] =
      /https:\/\/api\.example\.com\/dashboard\/sign-in\/(\S+)/.exec(mail?.body.text ?? '') ?? [];
    expect(mail?.body.html).toContain(`href="${link}"`);
    expect(mail?.body.text).toContain('once, within 10 minutes');
    expect(await world.signIns.exchange(token, origin, Date.now())).toBeTruthy();
    expect(await world.signIns.exchange(token, origin, Date.now())).toBeUndefined();
  });

  it('is urgent: it does not stand back for emails that wait for their turn at SES', async () => {
    await people.addOperator('hurry@example.com');
    const [request] = await rowsAdded('sign-in', () => world.signIns.ask('hurry@example.com', Date.now()));
    const sent: Mail[] = [];
    const email: EmailProvider = {
      send: async (mail) => {
        sent.push(mail);
        return { kind: 'accepted' };
      },
    };
    const place = String(request?.['PK']);
    await mailSignIn({ ...needs(), email })({ kind: 'sign-in', atMs: Date.now(), place });
    expect(sent).toMatchObject([{ to: 'hurry@example.com', isUrgent: true }]);
  });

  it('is not sent to an address that is unknown, or a quarter of an hour after it was asked for', async () => {
    await ask('stranger@example.com');
    expect(await mailsTo(world, 'stranger@example.com')).toEqual([]);
    await people.addOperator('late@example.com');
    await ask('late@example.com', 15 * minuteMs);
    expect(await mailsTo(world, 'late@example.com')).toEqual([]);
  });
});
