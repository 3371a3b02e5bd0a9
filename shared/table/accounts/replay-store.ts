import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { digestOf } from '../../kit/digest.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';

/** How long a key replays (messaging specification, "Idempotency", rule 2). */
const windowMs = 24 * 60 * 60 * 1_000;

/** The answer to a bulk request repeats itself a lot, and an item holds 400 KB. */
const packed = (body: string): string =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).toString('base64');
const unpacked = (text: string): string => brotliDecompressSync(Buffer.from(text, 'base64')).toString('utf8');

const keyOf = (account: AccountRef, key: string) => itemKeys.idempotency(account.id, digestOf(key));

const place = (key: string) => `idempotency/${key}`;

interface Wanted {
  readonly key: string;
  readonly endpoint: string;
  /** Of this request alone, so it is the token of its claim too. */
  readonly newId: string;
  /** When the claim expires. */
  readonly endsMs: number;
}

interface Held {
  readonly key: string;
  readonly token: string;
}

/**
 * Idempotency keys: a claim with an expiry and a fencing token, then the answer, sealed. Whether a key still counts is read from the item;
 * the table's own expiry only tidies up.
 */
export const replayStore = (table: Table, vault: Vault) => {
  /** Claims a free key, or takes over an expired claim with the id of its resource. */
  const open = (account: AccountRef, { key, endpoint, newId, endsMs }: Wanted, nowMs: number) =>
    table.update({
      Key: keyOf(account, key),
      UpdateExpression:
        'SET #state = :claimed, #token = :token, endpoint = :endpoint, claimEndsMs = :claimEnds, ' +
        'newId = if_not_exists(newId, :newId), openedMs = if_not_exists(openedMs, :now), expiresAt = if_not_exists(expiresAt, :expires)',
      ConditionExpression:
        'attribute_not_exists(PK) OR (#state = :claimed AND endpoint = :endpoint AND claimEndsMs < :now AND openedMs > :windowStart)',
      ExpressionAttributeNames: { '#state': 'state', '#token': 'token' },
      ExpressionAttributeValues: {
        ':claimed': 'claimed',
        ':token': newId,
        ':endpoint': endpoint,
        ':claimEnds': endsMs,
        ':newId': newId,
        ':now': nowMs,
        ':windowStart': nowMs - windowMs,
        ':expires': Math.ceil((nowMs + windowMs) / 1_000),
      },
    });

  const forget = (account: AccountRef, key: string, openedMs: unknown) =>
    table.transact([
      {
        Delete: {
          Key: keyOf(account, key),
          ConditionExpression: 'openedMs = :opened',
          ExpressionAttributeValues: { ':opened': openedMs },
        },
      },
    ]);

  const claim = async (account: AccountRef, wanted: Wanted, nowMs: number) => {
    const opened = await open(account, wanted, nowMs);
    const known: Item = opened.item ?? {};
    if (opened.done) {
      const newId = String(known['newId']);
      const held = { key: wanted.key, token: wanted.newId, newId, isResumed: newId !== wanted.newId };
      return { kind: 'claimed' as const, claim: held };
    }
    if (Number(known['openedMs']) <= nowMs - windowMs) {
      await forget(account, wanted.key, known['openedMs']);
      return claim(account, wanted, nowMs);
    }
    if (known['endpoint'] !== wanted.endpoint) return { kind: 'other-endpoint' as const };
    if (known['state'] === 'claimed') return { kind: 'in-flight' as const };
    const cipher = await vault.unlock(account);
    const body = cipher.open(place(wanted.key), known['reply'] as Uint8Array);
    return { kind: 'replay' as const, reply: { status: Number(known['status']), body: unpacked(body) } };
  };

  const isOurs = (token: string) => ({
    ConditionExpression: '#token = :token',
    ExpressionAttributeValues: { ':token': token },
  });

  /** Ends a claim without an answer. The next request on its endpoint takes it over, with its id. */
  const end = async (account: AccountRef, { key, token }: Held) => {
    const ours = isOurs(token);
    await table.update({
      Key: keyOf(account, key),
      UpdateExpression: 'SET claimEndsMs = :ended',
      ConditionExpression: `${ours.ConditionExpression} AND #state = :claimed`,
      ExpressionAttributeNames: { '#state': 'state', '#token': 'token' },
      ExpressionAttributeValues: { ...ours.ExpressionAttributeValues, ':ended': 0, ':claimed': 'claimed' },
    });
  };

  return {
    claim: async (account: AccountRef, wanted: Wanted, nowMs: number) => {
      try {
        return await claim(account, wanted, nowMs);
      } catch (thrown) {
        // The claim may have been written although its answer was lost; without this it would stay in flight.
        await end(account, { key: wanted.key, token: wanted.newId }).catch(() => undefined);
        throw thrown;
      }
    },

    /** Stores the answer for the rest of the key's 24 hours. A claim that was taken over meanwhile changes nothing. */
    complete: async (
      account: AccountRef,
      { key, token }: Held,
      reply: { readonly status: number; readonly body: string },
    ) => {
      const cipher = await vault.unlock(account);
      const ours = isOurs(token);
      await table.update({
        Key: keyOf(account, key),
        UpdateExpression: 'SET #state = :done, #status = :status, reply = :reply',
        ConditionExpression: ours.ConditionExpression,
        ExpressionAttributeNames: { '#state': 'state', '#status': 'status', '#token': 'token' },
        ExpressionAttributeValues: {
          ...ours.ExpressionAttributeValues,
          ':done': 'done',
          ':status': reply.status,
          ':reply': cipher.seal(place(key), packed(reply.body)),
        },
      });
    },

    /** Frees the key at once: the request failed, and a retry is a new attempt. */
    release: async (account: AccountRef, { key, token }: Held) => {
      await table.transact([
        { Delete: { Key: keyOf(account, key), ...isOurs(token), ExpressionAttributeNames: { '#token': 'token' } } },
      ]);
    },

    end,
  };
};
