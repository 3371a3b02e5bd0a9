export type MemberRole = 'owner' | 'developer' | 'viewer';

interface Me {
  readonly kind: 'session' | 'token';
  readonly email: string | null;
  readonly name: string | null;
  readonly isOperator: boolean;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: MemberRole }[];
  readonly sessionId: string | null;
  readonly expiresAt: string | null;
}

interface ListedAccount {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'frozen';
  readonly createdAt: string;
}

/** A person who may use an account. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: string;
  readonly invitedBy: string | null;
}

/** A person who operates the platform. */
export type Operator = Omit<Member, 'role'>;

/** Where a person is signed in. */
export interface Session {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt?: string | null;
  readonly expiresAt: string;
  readonly address: string;
  readonly userAgent: string;
  readonly isCurrent: boolean;
}

/** A token of a script, without its secret part. */
export interface OperatorToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: string;
}

/** A change by a person or a token. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly email?: string | null; readonly name?: string | null };
  readonly action: string;
  readonly resource: string;
  readonly accountId: string | null;
  readonly status: number | null;
  readonly address: string;
  readonly userAgent: string;
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly nextCursor?: string | null;
  readonly pagination?: { readonly cursor: string | null };
}

type Query = Readonly<Record<string, string>>;

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
  'GET /accounts/{id}/members': { request: { path: { id: string }; query?: Query }; reply: Page<Member> };
  'POST /accounts/{id}/members': {
    request: { path: { id: string }; body: { email: string; role: MemberRole } };
    reply: { data: Member };
  };
  'PATCH /accounts/{id}/members/{memberId}': {
    request: { path: { id: string; memberId: string }; body: { role: MemberRole } };
    reply: { data: Member };
  };
  'DELETE /accounts/{id}/members/{memberId}': {
    request: { path: { id: string; memberId: string } };
    reply: undefined;
  };
  'GET /sessions': { request: object; reply: { data: readonly Session[] } };
  'DELETE /sessions/{sessionId}': { request: { path: { sessionId: string } }; reply: undefined };
  'GET /operators': { request: { query?: Query }; reply: Page<Operator> };
  'POST /operators': { request: { body: { email: string } }; reply: { data: Operator } };
  'DELETE /operators/{id}': { request: { path: { id: string } }; reply: undefined };
  'GET /operator-tokens': { request: { query?: Query }; reply: Page<OperatorToken> };
  'POST /operator-tokens': {
    request: { body: { name: string } };
    reply: { data: OperatorToken & { readonly token: string } };
  };
  'DELETE /operator-tokens/{tokenId}': { request: { path: { tokenId: string } }; reply: undefined };
  'GET /accounts/{id}/audit-log': { request: { path: { id: string }; query?: Query }; reply: Page<AuditEntry> };
  'GET /audit-log': { request: { query?: Query }; reply: Page<AuditEntry> };
}
