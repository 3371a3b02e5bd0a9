import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Fault, type FaultCode } from '../kit/fault.ts';
import { isId } from '../kit/id.ts';
import { notFound } from '../kit/not-found.ts';
import { type Actor, type Caller, covers, type Lent, type OwnedResource, type Role } from '../people/person.ts';
import { cookieIn } from '../people/session-cookie.ts';
import { bearerToken } from './credentials.ts';
import { frozenAccount } from './frozen-account.ts';
import { type Audit, noteChange } from './lent-key.ts';
import { isFromOwnPage } from './own-page.ts';
import { isRead } from './reads.ts';
import { envelope, type Identity, type Surface } from './surface.ts';

/**
 * Who may call a row of the admin API. `role`: what a member needs to be on the account (`operator`: members are not enough; `anyone`: every
 * person and token). `of`: what the first parameter of the path names; its account is the one in question.
 */
export interface Wanted {
  readonly role: Role | 'operator' | 'anyone';
  readonly of?: 'account' | OwnedResource;
  /** What the dashboard itself asks for comes with every page, and nobody would look for it in the audit log; what a program asks for is noted. */
  readonly isNotedOf?: 'programs';
  /** What the call makes: its creation is in the log of the new account, too, which no path names yet. */
  readonly makes?: 'account';
}

type Known = Omit<Caller, 'isOperator' | 'roles'> & { readonly sealedKey: string };
export interface PeopleNeeds {
  readonly wanted: Wanted;
  readonly signIns: {
    callerWithSession(secret: string, nowMs: number): Promise<Known | undefined>;
    callerWithToken(token: string): Promise<Known | undefined>;
  };
  readonly members: {
    rightsOf(person: string): Promise<Pick<Caller, 'isOperator' | 'roles'>>;
  };
  /** Finds the account, where members may not call while it is frozen. */
  readonly whileActive?: { find(id: string): Promise<{ readonly status: string } | undefined> } | undefined;
  readonly resourceOwners: { accountOf(kind: OwnedResource, id: string): Promise<string | undefined> };
  readonly audit: Audit & { seal(sealedKey: string, actor: Actor): Promise<Uint8Array> };
}

export interface PeopleCaller {
  readonly caller: Caller;
  /** The caller, sealed for the audit log. */
  readonly lent: Lent;
}

const challenge = { 'WWW-Authenticate': 'Bearer realm="admin"' };

const unknownThing = {
  account: 'account_not_found',
  contact: 'contact_not_found',
  payment: 'payment_not_found',
  session: 'session_not_found',
  apiKey: 'api_key_not_found',
  checkoutKey: 'checkout_key_not_found',
} as const satisfies Record<NonNullable<Wanted['of']>, FaultCode>;

/**
 * Callers of the admin API: people by the cookie of their session, scripts by an operator token. Refused with 401; then 403 where a browser was made to
 * call by another site; then 404 what is another account's, as if it did not exist; then 403 what their role does not allow, or their account while
 * it is frozen. Each change is noted in the audit log before it begins, refused ones too.
 */
export const peopleSurface = ({
  wanted,
  signIns,
  members,
  whileActive,
  resourceOwners,
  audit,
}: PeopleNeeds): Surface<PeopleCaller> => {
  const callerOf = async (event: APIGatewayProxyEventV2, nowMs: number): Promise<Known | undefined> => {
    if (event.headers['authorization'] !== undefined) {
      const token = bearerToken(event);
      return token === undefined ? undefined : signIns.callerWithToken(token);
    }
    const secret = cookieIn(event);
    return secret === undefined ? undefined : signIns.callerWithSession(secret, nowMs);
  };

  const accountIn = async (event: APIGatewayProxyEventV2): Promise<string | undefined> => {
    if (wanted.of === undefined) return undefined;
    const [, first = ''] = /\{(\w+)\}/.exec(event.routeKey) ?? [];
    const id = event.pathParameters?.[first] ?? '';
    if (wanted.of !== 'account') return resourceOwners.accountOf(wanted.of, id);
    // A path may name anything, also what every object has, such as `constructor`.
    return isId(id) ? id : undefined;
  };

  /** Why this caller may not do this; undefined when they may. */
  const refusalOf = (caller: Caller, account: string | undefined): Fault | undefined => {
    if (caller.isOperator || wanted.role === 'anyone') return undefined;
    const role = account === undefined ? undefined : roleOn(caller, account);
    if (wanted.of && !role) return notFound(unknownThing[wanted.of]);
    if (wanted.role === 'operator')
      return new Fault('forbidden_scope', 'Only an operator of the platform may do this.');
    return role && covers(role, wanted.role)
      ? undefined
      : new Fault('forbidden_scope', `This requires the role ${wanted.role} on the account; yours is ${role}.`);
  };

  const frozenRefusal = async (caller: Caller, account = ''): Promise<Fault | undefined> => {
    if (caller.isOperator) return undefined;
    return (await whileActive?.find(account))?.status === 'frozen' ? frozenAccount() : undefined;
  };

  return {
    identify: async (event, nowMs): Promise<Identity<PeopleCaller>> => {
      const known = await callerOf(event, nowMs);
      if (!known) return { headers: challenge, refusal: unauthorized() };
      const { sealedKey, ...rest } = known;
      const rights = known.kind === 'token' ? { isOperator: true, roles: {} } : await members.rightsOf(known.person);
      const caller = { ...rest, ...rights };
      // Operators read without a look at whose it is; the log names the account of a change.
      const account = caller.isOperator && isRead(event) ? undefined : await accountIn(event);
      const refusal = isForged(caller, event)
        ? forged()
        : (refusalOf(caller, account) ?? (await frozenRefusal(caller, account)));
      const lent = { actor: await audit.seal(sealedKey, actorOf(caller, event)), sealedKey };
      const identity = refusal ? { headers: {}, refusal } : { headers: {}, who: { caller, lent } };
      if (wanted.isNotedOf === 'programs' && known.kind === 'session' && !refusal) return identity;
      const change = { account: seenBy(caller, account), lent, makesAccount: wanted.makes === 'account' };
      return { ...identity, ...(await noteChange(audit, event, change, nowMs)) };
    },
    faultBody: envelope,
  };
};

/** A change that a browser did not make on one of our pages. Cookies are sent with every request, also with those that other sites cause. */
const isForged = ({ kind }: Caller, event: APIGatewayProxyEventV2): boolean =>
  kind === 'session' && !isRead(event) && isFromOwnPage(event) !== true;

const actorOf = ({ kind, email, name }: Caller, { requestContext: { http } }: APIGatewayProxyEventV2): Actor => ({
  kind,
  email,
  name,
  address: http.sourceIp,
  userAgent: (http.userAgent ?? '').slice(0, 400),
});

const roleOn = ({ roles }: Caller, account: string): Role | undefined => roles[account];

/** What others try is not in the log of an account. */
const seenBy = (caller: Caller, id: string | undefined): { readonly id: string } | undefined =>
  id !== undefined && (caller.isOperator || roleOn(caller, id)) ? { id } : undefined;

const unauthorized = (): Fault =>
  new Fault(
    'unauthorized',
    'The operator token or the session is missing, malformed, unknown or expired. Sign in again.',
  );

const forged = (): Fault =>
  new Fault('forbidden_scope', 'Changes with the session cookie are accepted only from pages of this service.');
