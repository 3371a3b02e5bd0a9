import type { Contract, Reply, RequestOf } from '../shared/http/contract.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import type { PeopleCaller } from '../shared/http/people-surface.ts';
import { envelope } from '../shared/http/surface.ts';
import type { AccountRef } from '../shared/kit/account-ref.ts';
import { newId } from '../shared/kit/id.ts';
import { InternalError } from '../shared/kit/internal-error.ts';
import { type Caller, platform, type Role } from '../shared/people/person.ts';
import { makeOperatorToken } from '../shared/people/secret.ts';
import { type Call, call } from './call.ts';
import type { World } from './world.ts';

/** People in a world, signed in, and calls of handlers as them. */
export const startPeople = async (world: World) => {
  const token = makeOperatorToken();
  await world.signIns.createToken(token, { id: newId(Date.now()), name: 'job', createdBy: 'test' }, world.dataKeys);

  const callerWith = async (known: Awaited<ReturnType<World['signIns']['callerWithToken']>>): Promise<PeopleCaller> => {
    if (!known) throw new InternalError('nobody is signed in');
    const { sealedKey, ...rest } = known;
    const rights = rest.kind === 'token' ? { isOperator: true, roles: {} } : await world.members.rightsOf(rest.person);
    const caller: Caller = { ...rest, ...rights };
    const { kind, email, name } = caller;
    const actor = await world.audit.seal(sealedKey, { kind, email, name, address: '203.0.113.7', userAgent: 'test' });
    return { caller, lent: { actor, sealedKey } };
  };

  const add = (place: string, email: string, role: Role | 'operator') =>
    world.members.add(place, { id: newId(Date.now()), email, role, invitedBy: 'test' });

  return {
    token,
    job: async () => callerWith(await world.signIns.callerWithToken(token)),
    add,
    addOperator: (email: string) => add(platform, email, 'operator'),

    /** A new session of this person. */
    signIn: async (email: string, nowMs = Date.now()): Promise<PeopleCaller> => {
      const person = (await world.members.personOf(email)) ?? '';
      const link = await world.signIns.link({ person, email }, nowMs);
      const secret = await world.signIns.exchange(link, { address: '203.0.113.7', userAgent: 'test' }, nowMs);
      return callerWith(await world.signIns.callerWithSession(secret ?? '', nowMs));
    },

    /** Calls a handler as this person, on this account where it gets one. */
    call: <C extends Contract>(
      contract: C,
      handle: (input: RequestOf<C> & PeopleCaller & { account: AccountRef; callerName: string }) => Promise<Reply<C>>,
      who: PeopleCaller,
      { account, ...sent }: Call & { readonly account?: AccountRef } = {},
    ) => {
      const given = { ...who, account: account ?? { id: '', sealedKey: '' }, callerName: 'test' };
      return call(
        endpoint(contract, handle, { identify: async () => ({ headers: {}, who: given }), faultBody: envelope }),
        sent,
      );
    },
  };
};

export type People = Awaited<ReturnType<typeof startPeople>>;
