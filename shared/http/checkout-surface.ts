import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import { type AdmittedKey, keyHolderOf, overuse, type RefusedKey, usageHeaders } from './admission.ts';
import { corsHeaders } from './cors.ts';
import { bearerToken } from './credentials.ts';
import { frozenAccount } from './frozen-account.ts';
import { type Audit, noteChange } from './lent-key.ts';
import { isRead } from './reads.ts';
import { checkoutFaults, type Identity, type Surface } from './surface.ts';

/** The limits of a publishable key. */
interface Limits {
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly redirectHosts?: readonly string[] | undefined;
  readonly maxAmountMinor?: number | undefined;
}

/** The account of a checkout key, and the limits of its sessions. */
export interface CheckoutCaller {
  readonly account: AccountRef;
  readonly livemode: boolean;
  readonly createdWith: 'secret' | 'publishable';
  readonly limits: Limits;
}

/** The kinds of keys that an endpoint accepts. */
export type AcceptedKeys = 'secret' | 'secret-or-publishable';

interface Needs {
  readonly accepts: AcceptedKeys;
  readonly audit: Audit;
  readonly accounts: { find(id: string): Promise<{ readonly status: string } | undefined> };
  readonly checkoutKeys: {
    admit(
      key: string,
      nowMs: number,
    ): Promise<
      | (AdmittedKey & {
          readonly kind: 'secret' | 'publishable';
          readonly livemode: boolean;
          readonly limits: Limits;
          readonly isReadOnly?: boolean | undefined;
        })
      | RefusedKey
      | undefined
    >;
  };
}

const challenge = { 'WWW-Authenticate': 'Bearer realm="checkout"' };

/**
 * Callers with a checkout key (checkout specification, "Authentication"): refused with 401, then 429, then 403. Every key of a frozen account is
 * refused with 401; people still read with the keys they are lent, and change nothing. Browsers may read the answers to publishable keys, never
 * those to secret ones.
 */
export const checkoutSurface = ({ accounts, checkoutKeys, audit, accepts }: Needs): Surface<CheckoutCaller> => {
  const admit = async (key: string, event: APIGatewayProxyEventV2, nowMs: number) => {
    const admission = await checkoutKeys.admit(key, nowMs);
    if (!admission || 'refused' in admission || (admission.lent && isRead(event))) return admission;
    const account = await accounts.find(admission.account.id);
    const isFrozen = account?.status === 'frozen';
    return isFrozen && !admission.lent ? { refused: admission } : { ...admission, isFrozen };
  };

  const refusalOf = (kind: CheckoutCaller['createdWith'], isAllowed: boolean): Fault | undefined => {
    if (!isAllowed) return new Fault('forbidden_scope', 'This key does not allow the origin of this page.');
    return kind === 'publishable' && accepts === 'secret'
      ? new Fault('forbidden_scope', 'A publishable key can only create sessions. Use a secret key on your server.')
      : undefined;
  };

  return {
    identify: async (event, nowMs): Promise<Identity<CheckoutCaller>> => {
      const origin = event.headers['origin'];
      const key = bearerToken(event);
      const admission = key === undefined ? undefined : await admit(key, event, nowMs);
      if (!admission || 'refused' in admission) {
        const known = admission && { keyHolder: keyHolderOf(admission.refused) };
        const headers = { ...challenge, ...(!key?.startsWith('sk_') && corsHeaders(origin)) };
        return { headers, ...known, refusal: unauthorized(key) };
      }
      const { account, kind, livemode, limits } = admission;
      const keyHolder = keyHolderOf(admission);
      const isAllowed = !limits.allowedOrigins || limits.allowedOrigins.some((each) => each === origin);
      const excess = overuse(admission, nowMs);
      const headers = {
        ...usageHeaders(admission),
        ...excess?.headers,
        ...(kind === 'publishable' && isAllowed && corsHeaders(origin)),
      };
      const noted = excess ? {} : await noteChange(audit, event, admission, nowMs);
      const refusal = excess?.refusal ?? refusalOf(kind, isAllowed) ?? changeRefusal(admission, event);
      const who = { account, livemode, createdWith: kind, limits };
      return { headers, keyHolder, ...noted, ...(refusal ? { refusal } : { who }) };
    },
    ...checkoutFaults,
  };
};

const unauthorized = (key = ''): Fault =>
  new Fault(
    'unauthorized',
    key.startsWith('mk_')
      ? 'This is a key of the messaging API. Keys of the checkout API begin with sk_ or pk_.'
      : 'The checkout key in Authorization: Bearer is missing, malformed, unknown or revoked, or its account is frozen.',
  );

const changeRefusal = (
  { isReadOnly, isFrozen }: { readonly isReadOnly?: boolean | undefined; readonly isFrozen?: boolean },
  event: APIGatewayProxyEventV2,
): Fault | undefined => {
  if (isFrozen) return frozenAccount();
  return isReadOnly && !isRead(event)
    ? new Fault('forbidden_scope', 'This key reads only: its holder’s role does not allow changes.')
    : undefined;
};
