type Role = 'owner' | 'developer' | 'viewer';

interface Me {
  readonly kind: 'session' | 'token';
  readonly email: string | null;
  readonly name: string | null;
  readonly isOperator: boolean;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly sessionId: string | null;
  readonly expiresAt: string | null;
}

interface ListedAccount {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'frozen';
  readonly createdAt: string;
}

/** The part of the admin API about people. */
export interface People {
  'GET /me': { request: object; reply: { data: Me } };
  'POST /sign-out': { request: object; reply: undefined };
  'GET /accounts': {
    request: { query?: { cursor?: string; limit?: number; search?: string } };
    reply: { data: ListedAccount[]; nextCursor?: string | null; pagination?: { cursor: string | null } };
  };
  'POST /accounts/{id}/access-keys': {
    request: { path: { id: string }; body: { api: 'messaging' } | { api: 'checkout'; livemode: boolean } };
    reply: { data: { key: string; expiresAt: string } };
  };
}
