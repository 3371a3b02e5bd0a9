import { digestOf } from '../../kit/digest.ts';
import { textAt } from '../../kit/json-pointer.ts';
import { log } from '../../kit/log.ts';
import type { Clock } from '../../kit/time.ts';
import { forAll } from '../../kit/time-limit.ts';
import { codeOf, done } from './bkash-answers.ts';
import { type CallGateway, jsonCall } from './gateway-http.ts';

export interface BkashCredentials {
  readonly username: string;
  readonly password: string;
  readonly appKey: string;
  readonly appSecret: string;
}

/** A merchant's access token at bKash, valid for an hour. */
export interface BkashToken {
  readonly idToken: string;
  readonly refreshToken?: string | undefined;
  readonly grantedMs: number;
  readonly lifetimeMs: number;
  /** A hash of the credentials that it was granted for: with others it is worth nothing. */
  readonly grantedFor: string;
}

/** Shares a merchant's token between functions: bKash limits how often tokens are requested. */
export interface BkashTokenStore {
  read(): Promise<BkashToken | undefined>;
  write(token: BkashToken): Promise<void>;
}

const usualLifetimeSeconds = 3_600;

/** A token this young that is refused will not be mended by another one. */
const youngMs = 60_000;

/** Keeps a merchant's token: in memory, in the store, and renewed before its end. Those who ask at once get the same one. */
export const bkashTokens = (
  credentials: BkashCredentials,
  {
    tokensUrl,
    store,
    clock,
    random = Math.random,
  }: {
    readonly tokensUrl: string;
    readonly store: BkashTokenStore;
    readonly clock: Clock;
    readonly random?: () => number;
  },
) => {
  const grantedFor = digestOf(JSON.stringify(credentials));
  /** After this part of its life a token is renewed: another part in every function, so that one of them is first and the others find its token. */
  const usedPart = 0.8 + random() * 0.15;
  let kept: BkashToken | undefined;
  let renewing: Promise<BkashToken | undefined> | undefined;

  const ageOf = ({ grantedMs, lifetimeMs }: BkashToken): number => (clock() - grantedMs) / lifetimeMs;
  const isGood = (token: BkashToken | undefined) => token !== undefined && ageOf(token) < usedPart;

  const stored = async (): Promise<BkashToken | undefined> => {
    const token = await store.read();
    return token?.grantedFor === grantedFor ? token : undefined;
  };

  /** Undefined when bKash returned none. */
  const request = async (call: CallGateway, refreshToken?: string): Promise<BkashToken | undefined> => {
    const { username, password, appKey: app_key, appSecret: app_secret } = credentials;
    const body = { app_key, app_secret, ...(refreshToken && { refresh_token: refreshToken }) };
    const grantedMs = clock();
    const reply = await call(
      jsonCall(`${tokensUrl}/${refreshToken ? 'refresh' : 'grant'}`, body, { username, password }),
    );
    const document = reply.kind === 'answered' ? reply.document : undefined;
    const idToken = textAt(document, '/id_token');
    const code = codeOf(document);
    if (!idToken || (code ?? done) !== done) {
      log('warn', 'bKash gave no token', { came: reply.kind, code, isRefresh: refreshToken !== undefined });
      return undefined;
    }
    const lifetimeMs = 1_000 * (Number(textAt(document, '/expires_in')) || usualLifetimeSeconds);
    const newRefreshToken = textAt(document, '/refresh_token') ?? refreshToken;
    kept = { idToken, refreshToken: newRefreshToken, grantedMs, lifetimeMs, grantedFor };
    await store.write(kept);
    return kept;
  };

  /** A token that is due to be renewed, and cannot be, serves until its end. */
  const renew = async (call: CallGateway, old: BkashToken | undefined): Promise<BkashToken | undefined> => {
    const refreshed = old?.refreshToken ? await request(call, old.refreshToken) : undefined;
    return refreshed ?? (await request(call)) ?? (old && ageOf(old) < 1 ? old : undefined);
  };

  const once = (begin: () => Promise<BkashToken | undefined>): Promise<BkashToken | undefined> => {
    renewing ??= forAll(begin).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  return {
    /** The token to use now; undefined when there is none to be had. */
    current: async (call: CallGateway): Promise<BkashToken | undefined> => {
      if (isGood(kept)) return kept;
      return once(async () => {
        kept = (await stored()) ?? kept;
        return isGood(kept) ? kept : renew(call, kept);
      });
    },

    /** Another token, after bKash has refused this one; undefined when there is none, or another would not help either. */
    instead: async (call: CallGateway, refused: BkashToken): Promise<BkashToken | undefined> => {
      const isOther = (token: BkashToken | undefined) => token !== undefined && token.idToken !== refused.idToken;
      const token = await once(async () => {
        const latest = isOther(kept) ? kept : await stored();
        kept = isOther(latest) ? latest : kept;
        if (isOther(latest)) return latest;
        return clock() - refused.grantedMs < youngMs ? undefined : request(call);
      });
      return isOther(token) ? token : undefined;
    },
  };
};
