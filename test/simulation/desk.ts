import type { Role } from '../../shared/people/person.ts';
import type { Account } from './accounts.ts';
import { type Answer, clientIn, type Request } from './client.ts';
import { type Pass, sentWith } from './people.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

interface Action {
  readonly does: string;
  readonly routeKey: string;
  /** What it takes: a role on the account, an operator, or anyone who is signed in. */
  readonly takes: Role | 'operator' | 'anyone';
}

/** What people and scripts do in the dashboard and with the admin API. */
export const actions = {
  addMember: { does: 'people/add-member', routeKey: 'POST /admin/v1/accounts/{id}/members', takes: 'owner' },
  changeMember: {
    does: 'people/change-member',
    routeKey: 'PATCH /admin/v1/accounts/{id}/members/{memberId}',
    takes: 'owner',
  },
  removeMember: {
    does: 'people/remove-member',
    routeKey: 'DELETE /admin/v1/accounts/{id}/members/{memberId}',
    takes: 'owner',
  },
  listMembers: { does: 'people/list-members', routeKey: 'GET /admin/v1/accounts/{id}/members', takes: 'viewer' },
  listAccountChanges: {
    does: 'people/list-account-changes',
    routeKey: 'GET /admin/v1/accounts/{id}/audit-log',
    takes: 'viewer',
  },
  lendKey: { does: 'people/create-access-key', routeKey: 'POST /admin/v1/accounts/{id}/access-keys', takes: 'viewer' },
  addOperator: { does: 'people/add-operator', routeKey: 'POST /admin/v1/operators', takes: 'operator' },
  removeOperator: {
    does: 'people/remove-operator',
    routeKey: 'DELETE /admin/v1/operators/{operatorId}',
    takes: 'operator',
  },
  listOperators: { does: 'people/list-operators', routeKey: 'GET /admin/v1/operators', takes: 'operator' },
  createToken: { does: 'people/create-operator-token', routeKey: 'POST /admin/v1/operator-tokens', takes: 'operator' },
  revokeToken: {
    does: 'people/revoke-operator-token',
    routeKey: 'DELETE /admin/v1/operator-tokens/{tokenId}',
    takes: 'operator',
  },
  listTokens: { does: 'people/list-operator-tokens', routeKey: 'GET /admin/v1/operator-tokens', takes: 'operator' },
  listChanges: { does: 'people/list-changes', routeKey: 'GET /admin/v1/audit-log', takes: 'operator' },
  listAccounts: { does: 'people/list-accounts', routeKey: 'GET /admin/v1/accounts', takes: 'anyone' },
  listSessions: { does: 'people/list-sessions', routeKey: 'GET /admin/v1/sessions', takes: 'anyone' },
  endSession: { does: 'people/end-session', routeKey: 'DELETE /admin/v1/sessions/{sessionId}', takes: 'anyone' },
  signOut: { does: 'people/sign-out', routeKey: 'POST /admin/v1/sign-out', takes: 'anyone' },
  getMe: { does: 'people/get-me', routeKey: 'GET /admin/v1/me', takes: 'anyone' },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;

/** Something that is wanted of the admin API. */
export interface Wish {
  readonly action: ActionName;
  readonly by: Pass;
  readonly account?: Account | undefined;
  /** Names in the path, beside that of the account. */
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A request for a wish. */
export interface Deed extends Wish {
  /** What the request calls itself: the audit log has it. */
  readonly agent: string;
  readonly fromMs: number;
  /** Undefined while it is under way. */
  end?: { readonly atMs: number; readonly answer: Answer };
}

const mostTries = 4;
const againMs = 2_000;

/** Where people and scripts make requests of the admin API: it keeps all that they did. */
export const openDesk = (world: World) => {
  const { timeline } = world;
  const client = clientIn(world);
  const deeds: Deed[] = [];

  const attempt = async (wish: Wish, tries: Deed[]): Promise<Answer> => {
    const deed: Deed = { ...wish, agent: `agent ${deeds.length}`, fromMs: timeline.nowMs() };
    deeds.push(deed);
    tries.push(deed);
    const { does, routeKey } = actions[wish.action];
    const id = wish.account?.ref.id;
    const request: Request = {
      does,
      routeKey,
      userAgent: deed.agent,
      ...sentWith(wish.by),
      ...(id !== undefined && { account: id }),
      path: { ...(id !== undefined && { id }), ...wish.path },
      ...(wish.body && { body: wish.body }),
      ...(routeKey.startsWith('GET') && wish.action !== 'getMe' && { query: { limit: '100' } }),
    };
    const answer = await client.ask(request);
    deed.end = { atMs: timeline.nowMs(), answer };
    return answer;
  };

  return {
    deeds,

    /** Makes a request, and mostly again while it has no answer. Keeps its tries, and gives the last answer. */
    request: async (wish: Wish, chance: Random, tries: Deed[] = []): Promise<Answer> => {
      for (;;) {
        const answer = await attempt(wish, tries);
        if (answer.status < 500 || tries.length >= mostTries || chance.isChance(0.2)) return answer;
        await client.wait(againMs * tries.length);
      }
    },
  };
};

export type Desk = ReturnType<typeof openDesk>;
