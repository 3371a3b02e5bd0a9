import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { digestOf } from '../../kit/digest.ts';
import { itemKeys } from '../keys.ts';
import { packed, unpacked } from '../packed.ts';
import type { Item, Table } from '../table.ts';

/** How long a key replays (messaging specification, "Idempotency", rule 2). */
const windowMs = 24 * 60 * 60 * 1_000;

const keyOf = (account: AccountRef, key: string) => itemKeys.idempotency(account.id, digestOf(key));

const place = (key: string) => `idempotency/${key}`;
const partPlace = (key: string, token: string, part: number) => `${place(key)}/${token}/${part}`;

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

/** A claim that this request has. */
interface Claim extends Held {
  /** Of its item, in seconds. */
  readonly expiresAt: number;
}

/**
 * Idempotency keys: a claim with an expiry and a fencing token, then the answer, sealed. Whether a key still counts is read from the item;
 * the table's own expiry only tidies up.
 */
export const idempotencyStore = (table: Table, vault: Vault) => {
  /** Claims a free key, or takes over an expired claim with the id of its resource. Its 24 hours begin with the claim that gets the answer. */
  const open = (account: AccountRef, { key, endpoint, newId, endsMs }: Wanted, nowMs: number) =>
    table.update({
      Key: keyOf(account, key),
      UpdateExpression:
        'SET #state = :claimed, #token = :token, endpoint = :endpoint, claimEndsMs = :claimEnds, ' +
        'newId = if_not_exists(newId, :newId), openedMs = :now, expiresAt = :expires',
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
      const own: Claim = { key: wanted.key, token: wanted.newId, expiresAt: Number(known['expiresAt']) };
      return { kind: 'claimed' as const, claim: { ...own, newId, isResumed: newId !== wanted.newId } };
    }
    if (Number(known['openedMs']) <= nowMs - windowMs) {
      await forget(account, wanted.key, known['openedMs']);
      return claim(account, wanted, nowMs);
    }
    if (known['endpoint'] !== wanted.endpoint) return { kind: 'other-endpoint' as const };
    if (known['state'] === 'claimed') return { kind: 'in-flight' as const };
    return {
      kind: 'replay' as const,
      reply: { status: Number(known['status']), body: await bodyIn(account, wanted.key, known) },
    };
  };

  const partKeys = (account: AccountRef, key: string, token: string, parts: number) =>
    Array.from({ length: parts }, (_, n) => itemKeys.idempotencyPart(account.id, digestOf(key), n + 1, token));

  const bodyIn = async (account: AccountRef, key: string, done: Item): Promise<string> => {
    const [cipher, parts] = [await vault.unlock(account), Number(done['parts'] ?? 0)];
    const token = String(done['token']);
    const items = parts > 0 ? await table.getAll(partKeys(account, key, token, parts)) : [];
    const first = cipher.open(place(key), done['reply']);
    const rest = items.map((item, n) => cipher.open(partPlace(key, token, n + 1), item?.['reply']));
    return unpacked([first, ...rest]);
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
      { key, token, expiresAt }: Claim,
      reply: { readonly status: number; readonly body: string },
    ) => {
      const cipher = await vault.unlock(account);
      const [first = '', ...rest] = packed(reply.body);
      const partsOf = partKeys(account, key, token, rest.length).map((itemKey, n) => ({
        Item: {
          ...itemKey,
          entity: 'idempotency-part',
          reply: cipher.seal(partPlace(key, token, n + 1), rest[n] ?? ''),
          expiresAt,
        },
      }));
      // Before the answer: who finds it, finds all of it.
      await Promise.all(partsOf.map((part) => table.put(part)));
      const ours = isOurs(token);
      await table.update({
        Key: keyOf(account, key),
        UpdateExpression: 'SET #state = :done, #status = :status, reply = :reply, parts = :parts',
        ConditionExpression: ours.ConditionExpression,
        ExpressionAttributeNames: { '#state': 'state', '#status': 'status', '#token': 'token' },
        ExpressionAttributeValues: {
          ...ours.ExpressionAttributeValues,
          ':done': 'done',
          ':status': reply.status,
          ':reply': cipher.seal(place(key), first),
          ':parts': rest.length,
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
