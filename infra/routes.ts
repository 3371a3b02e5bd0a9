import type { Scope } from '../shared/accounts/api-key.ts';
import type { Power } from './powers.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `does`: its folder under `functions`. `needs`: all that it may touch. Who may call it: with `scope`, a holder of an API key that has this
 * scope; with `by: 'operator'`, whom IAM lets in; otherwise anyone.
 */
export interface Route {
  readonly does: string;
  readonly needs: readonly Power[];
  readonly scope?: Scope;
  readonly by?: 'operator';
  readonly memoryMegabytes?: number;
}

/** Every HTTP endpoint. */
export const routes = {
  'POST /api/v1/messages': {
    does: 'messages/send-message',
    scope: 'messages:send',
    needs: ['table:read', 'table:write', 'data:open', 'email:send'],
    memoryMegabytes: 1024,
  },
  'GET /api/v1/messages': {
    does: 'messages/list-messages',
    scope: 'messages:read',
    needs: ['table:read', 'data:open'],
  },
  'GET /api/v1/messages/{id}': {
    does: 'messages/get-message',
    scope: 'messages:read',
    needs: ['table:read', 'data:open'],
  },

  'POST /admin/v1/accounts': {
    does: 'admin/create-account',
    by: 'operator',
    needs: ['table:write', 'data:open', 'data:create-key'],
  },
  'GET /admin/v1/accounts/{id}': { does: 'admin/get-account', by: 'operator', needs: ['table:read', 'data:open'] },
  'PATCH /admin/v1/accounts/{id}': {
    does: 'admin/update-account',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/credits': { does: 'admin/get-credits', by: 'operator', needs: ['table:read'] },
  'PUT /admin/v1/accounts/{id}/credits': { does: 'admin/set-credits', by: 'operator', needs: ['table:write'] },
  'POST /admin/v1/accounts/{id}/api-keys': {
    does: 'admin/create-api-key',
    by: 'operator',
    needs: ['table:read', 'table:write', 'data:open'],
  },
  'GET /admin/v1/accounts/{id}/api-keys': {
    does: 'admin/list-api-keys',
    by: 'operator',
    needs: ['table:read', 'data:open'],
  },
  'DELETE /admin/v1/api-keys/{keyId}': {
    does: 'admin/revoke-api-key',
    by: 'operator',
    needs: ['table:read', 'table:write'],
  },
} as const satisfies Record<`${Method} /${string}`, Route>;

/** What answers where no route is. */
export const unknownRoute: Route = { does: 'public/refuse-unknown-route', needs: [] };
