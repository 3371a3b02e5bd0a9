import { platform, type Role, roles } from '../../shared/people/person.ts';
import type { Code } from './bundle-functions.ts';
import { openDesk, type Wish } from './desk.ts';
import { openDoings } from './doings.ts';
import type { Messaging } from './messaging.ts';
import { emails, everyone, isToken, type Member, makePeople, type Pass } from './people.ts';
import { type Random, randomIn } from './random.ts';
import { openSignIns } from './sign-ins.ts';
import type { World } from './world.ts';

/** The indexes know everybody by then. */
const settledMs = 3_000;
const busyMs = 120_000;
/** Nothing fails any more, and the keys that were lent still work. */
const calmMs = 660_000;
/** They are over. */
const lateMs = 1_200_000;

const looks = [
  'getMe',
  'getMe',
  'listMembers',
  'listMembers',
  'listAccountChanges',
  'listAccounts',
  'listSessions',
  'listOperators',
  'listTokens',
  'listChanges',
] as const;
const looksAtAccount: ReadonlySet<string> = new Set(['listMembers', 'listAccountChanges']);

/**
 * People sign in, invite, change and remove each other, lend themselves keys and use them, alone and at once; operators do the same with each other,
 * and with tokens.
 */
export const openStaff = async (world: World, code: Code, { accounts }: Pick<Messaging, 'accounts'>) => {
  const { timeline, startMs, seed } = world;
  const random = randomIn(seed, 'staff');
  const people = await makePeople(world, code, accounts);
  const known = { members: [...people.members], passes: [...people.passes] };
  const { members, passes } = known;
  const desk = openDesk(world);
  const doings = openDoings(world, desk, accounts, known);
  const signIns = openSignIns(world, desk, passes);
  const [shop, other] = accounts;

  const oneOf = <Each>(some: readonly Each[], chance: Random): Each | undefined => some[chance.below(some.length)];
  /** A session, or without an email a token. */
  const passOf = (email: string | undefined, chance: Random): Pass | undefined =>
    oneOf(
      passes.filter((pass) => pass.email === email),
      chance,
    );
  const headsOf = (scope: string): readonly [string, string] => {
    if (scope === platform) return [emails.root, emails.hal];
    return scope === shop.ref.id ? [emails.ada, emails.grace] : [emails.eve, emails.root];
  };
  /** Mostly somebody who may change it, or a script. */
  const headOf = (scope: string, chance: Random): Pass | undefined => {
    const [one, two] = headsOf(scope);
    return chance.isChance(0.15)
      ? oneOf(passes, chance)
      : passOf(chance.pick([one, two, one, two, one, two, undefined]), chance);
  };
  const anyScope = (chance: Random): string =>
    chance.pick([shop.ref.id, shop.ref.id, shop.ref.id, other.ref.id, platform]);
  const membersOf = (scope: string): readonly Member[] => members.filter((one) => one.scope === scope);
  const anyRole = (chance: Random) => chance.pick<Role | 'none'>(['none', 'none', ...roles]);
  /** Within so many milliseconds. */
  const soon = (withinMs: number, chance: Random, act: () => Promise<void>): void =>
    timeline.after(chance.below(withinMs), () => void act());

  const invite = async (chance: Random): Promise<void> => {
    const scope = anyScope(chance);
    const by = headOf(scope, chance);
    const email = chance.pick([emails.nell, emails.nell, emails.zoe, emails.linus, emails.eve, emails.grace]);
    if (by) await doings.appoint(by, email, scope, scope === platform ? 'operator' : chance.pick(roles), chance);
  };

  const changeMember = async (member: Member | undefined, chance: Random): Promise<void> => {
    const by = member && headOf(member.scope, chance);
    if (by) await doings.change(by, member, member.scope === platform ? 'none' : anyRole(chance), chance);
  };
  const changeAny = (chance: Random): Promise<void> => changeMember(oneOf(membersOf(anyScope(chance)), chance), chance);

  const changeTwice = (chance: Random): void => {
    const member = oneOf(membersOf(anyScope(chance)), chance);
    for (let copies = 2; copies > 0; copies -= 1) soon(100, chance, () => changeMember(member, chance));
  };

  /** The heads of a scope, each removed or given another role by the other one, at once. */
  const duel = (chance: Random): void => {
    const scope = chance.pick([shop.ref.id, shop.ref.id, platform]);
    const [one, two] = headsOf(scope);
    const less = scope === platform ? 'none' : chance.pick<Role | 'none'>(['none', 'viewer']);
    for (const [by, whom] of [
      [passOf(one, chance), two],
      [passOf(two, chance), one],
    ] as const) {
      const member = membersOf(scope).findLast(({ email }) => email === whom);
      if (by && member) soon(60, chance, () => doings.change(by, member, less, chance));
    }
  };

  /** By themselves, by another session of theirs, or by an operator. */
  const end = async (pass: Pass | undefined, chance: Random): Promise<void> => {
    if (!pass) return;
    const by = isToken(pass) ? headOf(platform, chance) : chance.isChance(0.5) ? pass : passOf(pass.email, chance);
    if (by) await doings.end(by, pass, chance);
  };

  /** Keys are lent to somebody who is losing what they have them by. */
  const lendAndEnd = (chance: Random): void => {
    const by = oneOf(passes, chance);
    if (!by) return;
    const own = members.filter(({ email }) => email === by.email);
    const account = accounts.find(({ ref }) => own.some(({ scope }) => scope === ref.id)) ?? chance.pick(accounts);
    for (let copies = 1 + chance.below(3); copies > 0; copies -= 1)
      soon(200, chance, () => doings.lend(by, account, chance));
    if (chance.isChance(0.3)) return;
    const isLeaving = chance.isChance(0.6) && own.length > 0;
    soon(300, chance, () => (isLeaving ? changeMember(oneOf(own, chance), chance) : end(by, chance)));
  };

  const makeToken = async (chance: Random): Promise<void> => {
    const by = headOf(platform, chance);
    if (by) await doings.makeToken(by, chance);
  };

  const look = async (pass: Pass | undefined, chance: Random): Promise<void> => {
    if (!pass) return;
    const action = chance.pick(looks);
    const wish: Wish = { action, by: pass };
    await desk.request(looksAtAccount.has(action) ? { ...wish, account: chance.pick(accounts) } : wish, chance);
  };

  const ask = async (chance: Random): Promise<void> => {
    const email = oneOf(everyone, chance);
    if (email === undefined) return;
    const count = chance.pick([1, 1, 1, 5]);
    for (let copies = count; copies > 0; copies -= 1) soon(count * 1_000, chance, () => signIns.ask(email, chance));
  };

  const acts: readonly [(chance: Random) => unknown, ...((chance: Random) => unknown)[]] = [
    invite,
    invite,
    changeAny,
    changeAny,
    changeTwice,
    duel,
    lendAndEnd,
    lendAndEnd,
    makeToken,
    ask,
    ask,
    (chance) => end(oneOf(passes, chance), chance),
    (chance) => look(oneOf(passes, chance), chance),
    (chance) => look(oneOf(passes, chance), chance),
  ];

  const count = 4 + random.below(10);
  for (let n = 0; n < count; n += 1) {
    const id = `staff ${n}`;
    const chance = randomIn(seed, id);
    const act = chance.pick(acts);
    world.plan(id, startMs + settledMs + chance.below(busyMs), () => void act(chance));
  }

  /** All keys are tried. */
  const review = (chance: Random): void => {
    for (const lent of doings.keys) void doings.use(lent, chance.isChance(0.5));
  };
  const last = randomIn(seed, 'last of staff');
  timeline.at(startMs + calmMs, () => {
    for (const pass of passes) void desk.request({ action: 'getMe', by: pass }, last);
    review(last);
  });
  timeline.at(startMs + lateMs, () => review(last));

  return { people, ...known, ...doings, ...signIns, deeds: desk.deeds };
};

export type Staff = Awaited<ReturnType<typeof openStaff>>;
