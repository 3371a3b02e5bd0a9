import type { Chaos } from '../../checkout/chaos.ts';
import type { CheckoutSession, FoundSession } from '../../checkout/session.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { type CursorPage, filteredPage, type WantedPage } from '../../kit/cursor-page.ts';
import { digestOf } from '../../kit/digest.ts';
import { Unavailable } from '../../kit/fault.ts';
import { idAt, isId } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { accountRefIn } from '../account-ref-in.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';
import { isNew, putNew } from '../writes.ts';
import { bodyKeyOf, sessionItems } from './checkout-items.ts';
import { type ListFilter, listings, sessionEntryItem } from './listings.ts';
import { openSessions } from './session-openings.ts';

/** How long an idempotency key gives the same session. */
const keyWindowMs = 24 * 60 * 60 * 1_000;

/** What kind of checkout key an idempotency key came with. */
type KeyKind = Pick<CheckoutSession, 'livemode' | 'createdWith'>;

/**
 * Keys of servers and keys in browsers do not share idempotency keys: a reader of a publishable key could otherwise create, or read, the
 * session that the server asks for.
 */
const sessionKey = (accountId: string, { livemode, createdWith }: KeyKind, idempotencyKey: string): ItemKey =>
  itemKeys.checkoutSessionKey(accountId, `${livemode ? 'live' : 'test'}-${createdWith}`, digestOf(idempotencyKey));

/** A key is free where there is none, or where its 24 hours are over. */
const keyWrite = (session: CheckoutSession, idempotencyKey: string, nowMs: number): Write => ({
  Put: {
    Item: {
      ...sessionKey(session.accountId, session, idempotencyKey),
      entity: 'checkout-session-key',
      session: session.id,
      openedMs: nowMs,
      expiresAt: Math.ceil((nowMs + keyWindowMs) / 1_000),
    },
    ConditionExpression: `${isNew} OR openedMs <= :windowStart`,
    ExpressionAttributeValues: { ':windowStart': nowMs - keyWindowMs },
  },
});

/** Where in the transaction of a new session its idempotency key is. */
const keyPosition = 2;

/** Ends a session whose time is up and that waits for no payment. */
const ending = ({ id }: Pick<CheckoutSession, 'id'>, nowMs: number, only: string) => ({
  Key: itemKeys.checkoutSession(id),
  UpdateExpression: 'SET #status = :expired REMOVE GSI1PK, GSI1SK',
  ConditionExpression: `#status = :open AND expiresMs <= :now AND attribute_not_exists(livePaymentId) AND (${only})`,
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':expired': 'EXPIRED', ':open': 'OPEN', ':now': nowMs, ':none': 0 },
});

/** Checkout sessions. */
export const sessionStore = (table: Table, vault: Vault) => {
  const find = async (sessionId: string): Promise<FoundSession | undefined> => {
    const item: Item | undefined = isId(sessionId) ? await table.get(itemKeys.checkoutSession(sessionId)) : undefined;
    if (!item) return undefined;
    const account = accountRefIn(item);
    const [session] = await openSessions(table, await vault.unlock(account), [item]);
    return session && { account, session };
  };

  return {
    find,

    /**
     * Stores a new session. Under an idempotency key of the last 24 hours, returns the session that the key created instead: parallel requests
     * all get the same.
     */
    create: async (
      account: AccountRef,
      session: CheckoutSession,
      { idempotencyKey, nowMs }: { readonly idempotencyKey: string | undefined; readonly nowMs: number },
    ): Promise<{ readonly session: CheckoutSession; readonly isReplay: boolean }> => {
      const cipher = await vault.unlock(account);
      const { row, beside } = sessionItems(account, cipher, session);
      const refused = await table.transact([
        putNew(row),
        putNew(sessionEntryItem(cipher, session, row['expiresAt'])),
        ...(idempotencyKey === undefined ? [] : [keyWrite(session, idempotencyKey, nowMs)]),
        ...(beside ? [putNew(beside)] : []),
      ]);
      if (!refused) return { session, isReplay: false };
      const keyItem = refused.failed.find(({ position }) => position === keyPosition)?.item;
      if (!keyItem) throw new InternalError('the id for a new session is used up');
      const known = await find(String(keyItem['session']));
      // The key may be there a moment before the session that was written with it.
      if (!known) throw new Unavailable('the session of an idempotency key is being created');
      return { session: known.session, isReplay: true };
    },

    /** The session that an idempotency key of the last 24 hours created. */
    findByIdempotencyKey: async (
      account: AccountRef,
      kind: KeyKind,
      { idempotencyKey, nowMs }: { readonly idempotencyKey: string; readonly nowMs: number },
    ): Promise<CheckoutSession | undefined> => {
      const item = await table.get(sessionKey(account.id, kind, idempotencyKey));
      const isValid = item !== undefined && Number(item['openedMs']) > nowMs - keyWindowMs;
      return isValid ? (await find(String(item['session'])))?.session : undefined;
    },

    /** Sessions of an account, newest first. */
    listOfAccount: async (
      account: AccountRef,
      filter: ListFilter,
      page: WantedPage,
      fits: (found: FoundSession) => boolean,
    ): Promise<CursorPage<FoundSession>> => {
      const cipher = await vault.unlock(account);
      const lists = listings(table, account.id, cipher);
      const read = async (part: WantedPage) => {
        const entries = await lists.sessions(filter, part);
        const rows = await table.getAll(entries.map(({ session }) => itemKeys.checkoutSession(session)));
        const opened = await openSessions(table, cipher, rows);
        return entries.map(({ id }, n) => {
          const session = opened[n];
          return { id, row: session && { account, session } };
        });
      };
      return filteredPage(page, read, fits);
    },

    /** Brings the end of an open session forward to now: no payment can begin any more. The sweep writes that it has expired. */
    close: async ({ id }: Pick<CheckoutSession, 'id'>, nowMs: number): Promise<boolean> => {
      const { done } = await table.update({
        Key: itemKeys.checkoutSession(id),
        UpdateExpression: 'SET expiresMs = :now, GSI1SK = :due',
        ConditionExpression: '#status = :open AND expiresMs > :now',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':now': nowMs, ':due': idAt(id, nowMs), ':open': 'OPEN' },
      });
      return done;
    },

    /**
     * Ends a session whose time is up and that waits for no payment. False: it has ended already, waits, or has time left. What lies beside a
     * session without a payment attempt is from then on deleted with it.
     */
    expire: async (session: Pick<CheckoutSession, 'id'>, nowMs: number): Promise<boolean> => {
      const { done, item } = await table.update(
        ending(session, nowMs, 'attribute_exists(details) OR payments > :none'),
      );
      // Without the row's own end, a payment was begun: what lies beside it is kept.
      if (done || !item || !bodyKeyOf(item) || item['expiresAt'] === undefined) return done;
      const refused = await table.transact([
        { Update: ending(session, nowMs, 'payments = :none') },
        {
          Update: {
            Key: itemKeys.sessionBody(session.id),
            UpdateExpression: 'SET expiresAt = :at',
            ConditionExpression: 'attribute_exists(PK)',
            ExpressionAttributeValues: { ':at': item['expiresAt'] },
          },
        },
      ]);
      return refused === undefined;
    },

    /** Sets the fault that later payments of a test session meet. False: no such session, or one of live mode. */
    setChaos: async (sessionId: string, chaos: Chaos | undefined): Promise<boolean> => {
      if (!isId(sessionId)) return false;
      const { done } = await table.update({
        Key: itemKeys.checkoutSession(sessionId),
        UpdateExpression: chaos === undefined ? 'REMOVE chaos' : 'SET chaos = :chaos',
        ConditionExpression: 'livemode = :false',
        ExpressionAttributeValues: { ':false': false, ...(chaos !== undefined && { ':chaos': chaos }) },
      });
      return done;
    },
  };
};

export type SessionStore = ReturnType<typeof sessionStore>;
