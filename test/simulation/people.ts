import { dayMinutes } from '../../shared/kit/time.ts';
import { platform, type Role } from '../../shared/people/person.ts';
import { sessionCookie } from '../../shared/people/session-cookie.ts';
import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { randomIn } from './random.ts';
import type { World } from './world.ts';

/** What a person is in a scope: an account, or the platform. */
export type Standing = Role | 'operator' | 'none';

/** A membership that somebody is known to have, or to have had. */
export interface Member {
  readonly scope: string;
  readonly id: string;
  readonly email: string;
  /** When it was known. */
  readonly fromMs: number;
}

/** A session of a person or an operator token, which has no email. */
export interface Pass {
  readonly email: string | undefined;
  /** Of a session by mail: once it is known. */
  id: string | undefined;
  readonly secret: string;
  readonly fromMs: number;
}

export const isToken = ({ email }: Pass): boolean => email === undefined;

/** What a browser, or a script, sends with each request. */
export const sentWith = ({ email, secret }: Pick<Pass, 'email' | 'secret'>) =>
  email === undefined
    ? { headers: { authorization: `Bearer ${secret}` } }
    : { headers: { 'sec-fetch-site': 'same-origin' }, cookies: [`${sessionCookie}=${secret}`] };

/** Members of the first account, of the second, operators, and people who are nobody at first. */
export const emails = {
  ada: 'ada@staff.example',
  grace: 'grace@staff.example',
  linus: 'linus@staff.example',
  eve: 'eve@staff.example',
  root: 'root@staff.example',
  hal: 'hal@staff.example',
  nell: 'nell@staff.example',
  zoe: 'zoe@staff.example',
} as const;

export const everyone = [...Object.values(emails)];

/** As `functions/people/add-member` has it. */
export const mostInvitations = 50;
const origin = { address: '203.0.113.7', userAgent: 'at first' };

/** Makes the people of a world, with some sessions and an operator token. Some accounts have nearly invited as many people as they may. */
export const makePeople = (world: World, { inside }: Code, accounts: readonly [Account, Account]) => {
  const { spared, timeline, seed } = world;
  const random = randomIn(seed, 'people');
  const [shop, other] = [accounts[0].ref.id, accounts[1].ref.id];
  const { members, signIns, rates } = inside.stores;
  const wanted: readonly (readonly [string, string, Role | 'operator'])[] = [
    [emails.ada, shop, 'owner'],
    [emails.grace, shop, 'owner'],
    [emails.linus, shop, random.pick(['developer', 'viewer'])],
    [emails.eve, other, 'owner'],
    [emails.root, platform, 'operator'],
    [emails.hal, platform, 'operator'],
  ];

  return spared(async () => {
    const nowMs = timeline.nowMs();
    const dataKeys = inside.dataKeyMaker(inside.kms(), 'key');
    const known: Member[] = [];
    const roles = new Map<string, Standing>();
    for (const [email, scope, role] of wanted) {
      const id = inside.newId(nowMs);
      await members().add(scope, { id, email, role, invitedBy: 'nobody' }, { dataKeys, isSilent: true });
      known.push({ scope, id, email, fromMs: nowMs });
      roles.set(`${email} ${scope}`, role);
    }
    const passes: Pass[] = [];
    const signIn = async (email: string): Promise<void> => {
      const person = (await members().personOf(email)) ?? '';
      const link = await signIns().link({ person, email }, nowMs);
      const secret = (await signIns().exchange(link, origin, nowMs)) ?? '';
      const id = (await signIns().callerWithSession(secret, nowMs))?.id;
      passes.push({ email, id, secret, fromMs: nowMs });
    };
    for (const [email] of wanted) await signIn(email);
    await signIn(emails.ada);
    const token = inside.makeOperatorToken();
    const { id } = await signIns().createToken(
      token,
      { id: inside.newId(nowMs), name: 'job', createdBy: 'world' },
      dataKeys,
    );
    passes.push({ email: undefined, id, secret: token, fromMs: nowMs });
    const invited = random.isChance(0.3) ? mostInvitations - random.below(3) : 0;
    const counted = { calls: invited, windowMinutes: dayMinutes };
    if (invited > 0) for (const { ref } of accounts) await rates().count(`invitations ${ref.id}`, nowMs, counted);
    return {
      members: known,
      passes,
      /** How many people each account may still invite. */
      invitationsLeft: mostInvitations - invited,
      /** What a person is in a scope at first. */
      standingAtFirst: (email: string, scope: string): Standing => roles.get(`${email} ${scope}`) ?? 'none',
    };
  });
};
