import type { Role } from '../../shared/people/person.ts';
import type { Account } from './accounts.ts';
import { clientIn } from './client.ts';
import type { Deed, Desk, Wish } from './desk.ts';
import { isToken, type Member, type Pass, type Standing } from './people.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** What was asked for a person in a scope, with its requests. */
export interface Appointment {
  readonly email: string;
  readonly scope: string;
  readonly to: Standing;
  readonly tries: Deed[];
}

/** What was asked to end a session or a token. */
export interface Ending {
  readonly pass: Pass;
  readonly tries: Deed[];
}

/** A key of a public API that somebody was lent. */
export interface Lent {
  readonly account: Account;
  readonly by: Pass;
  readonly api: 'messaging' | 'checkout';
  readonly key: string;
  readonly deed: Deed;
  readonly fromMs: number;
  readonly endsMs: number;
}

/** A request with a lent key. */
export interface LentUse {
  readonly lent: Lent;
  readonly isWrite: boolean;
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly status: number };
}

/** What people do with the dashboard, and scripts with the admin API. */
export const openDoings = (
  world: World,
  desk: Desk,
  accounts: readonly Account[],
  { members, passes }: { readonly members: Member[]; readonly passes: Pass[] },
) => {
  const { timeline } = world;
  const client = clientIn(world);
  const appointments: Appointment[] = [];
  const endings: Ending[] = [];
  const keys: Lent[] = [];
  const uses: LentUse[] = [];
  const accountAt = (scope: string): Account | undefined => accounts.find(({ ref }) => ref.id === scope);

  const appoint = async (by: Pass, email: string, scope: string, to: Role | 'operator', chance: Random) => {
    const appointment: Appointment = { email, scope, to, tries: [] };
    appointments.push(appointment);
    const account = accountAt(scope);
    const wish: Wish = account
      ? { action: 'addMember', by, account, body: { email, role: to } }
      : { action: 'addOperator', by, body: { email } };
    const { status, body } = await desk.request(wish, chance, appointment.tries);
    if (status === 201) members.push({ scope, id: body.data.id, email, fromMs: timeline.nowMs() });
  };

  /** Gives a member another role, or removes them. */
  const change = async (by: Pass, { email, scope, id }: Member, to: Role | 'none', chance: Random): Promise<void> => {
    const account = accountAt(scope);
    if (!account && to !== 'none') return;
    const appointment: Appointment = { email, scope, to, tries: [] };
    appointments.push(appointment);
    const wish: Wish = !account
      ? { action: 'removeOperator', by, path: { operatorId: id } }
      : to === 'none'
        ? { action: 'removeMember', by, account, path: { memberId: id } }
        : { action: 'changeMember', by, account, path: { memberId: id }, body: { role: to } };
    await desk.request(wish, chance, appointment.tries);
  };

  const end = async (by: Pass, pass: Pass, chance: Random): Promise<void> => {
    if (pass.id === undefined) return;
    const ending: Ending = { pass, tries: [] };
    endings.push(ending);
    const wish: Wish = isToken(pass)
      ? { action: 'revokeToken', by, path: { tokenId: pass.id } }
      : by === pass && chance.isChance(0.7)
        ? { action: 'signOut', by }
        : { action: 'endSession', by, path: { sessionId: pass.id } };
    await desk.request(wish, chance, ending.tries);
  };

  const use = async (lent: Lent, isWrite: boolean): Promise<void> => {
    const made: LentUse = { lent, isWrite, fromMs: timeline.nowMs() };
    uses.push(made);
    const { account, key, api } = lent;
    const common = { headers: { authorization: `Bearer ${key}` }, account: account.ref.id };
    const messaging = isWrite
      ? {
          does: 'suppressions/create-suppression',
          routeKey: 'POST /api/v1/suppressions',
          body: { channel: 'email', address: 'nobody@staff.example' },
        }
      : { does: 'account/get-account', routeKey: 'GET /api/v1/account' };
    const checkout = isWrite
      ? {
          does: 'merchants/expire-session',
          routeKey: 'POST /v1/checkout-sessions/{id}/expire',
          path: { id: account.ref.id },
        }
      : { does: 'merchants/list-sessions', routeKey: 'GET /v1/checkout-sessions' };
    const { status } = await client.ask({ ...common, ...(api === 'messaging' ? messaging : checkout) });
    made.end = { atMs: timeline.nowMs(), status };
  };

  const lend = async (by: Pass, account: Account, chance: Random): Promise<void> => {
    const api = chance.isChance(0.7) ? 'messaging' : 'checkout';
    const body = api === 'messaging' ? { api } : { api, livemode: false };
    const tries: Deed[] = [];
    const { status, body: answer } = await desk.request({ action: 'lendKey', by, account, body }, chance, tries);
    const deed = tries.at(-1);
    if (status !== 201 || !deed) return;
    const { key, expiresAt } = answer.data;
    const lent: Lent = { account, by, api, key, deed, fromMs: timeline.nowMs(), endsMs: Date.parse(expiresAt) };
    keys.push(lent);
    for (const isWrite of [false, true]) timeline.after(chance.below(15_000), () => void use(lent, isWrite));
  };

  const makeToken = async (by: Pass, chance: Random): Promise<void> => {
    const wish: Wish = { action: 'createToken', by, body: { name: `job ${passes.length}` } };
    const { status, body } = await desk.request(wish, chance);
    if (status !== 201) return;
    const { id, token: secret } = body.data;
    passes.push({ email: undefined, id, secret, fromMs: timeline.nowMs() });
  };

  return { appointments, endings, keys, uses, appoint, change, end, lend, use, makeToken };
};
