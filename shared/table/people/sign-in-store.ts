import { hashOf } from '../../accounts/api-key.ts';
import type { DataKeys } from '../../aws/vault.ts';
import type { Vault } from '../../kit/cipher.ts';
import { isId, newId, timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import type { Caller } from '../../people/person.ts';
import { isOperatorToken, isSecret, linkSeconds, makeSecret, sessionSeconds } from '../../people/secret.ts';
import { everyId } from '../every-id.ts';
import { indexKeys, itemKeys, keyIn, partitions } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { peopleKeyStore } from './people-key.ts';

/** Where a request came from. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
}

export interface Session extends Origin {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface OperatorToken {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: string;
  /** The email of the operator or the name of the program; null: of a token from an earlier release. */
  readonly createdBy: string | null;
}

/** A caller whose roles are not read yet. */
export type Identified = Omit<Caller, 'isOperator' | 'roles'> & { readonly sealedKey: string };

const secondsAt = (ms: number): number => Math.floor(ms / 1_000);
const isOver = (item: Item, nowMs: number): boolean =>
  item['expiresAt'] !== undefined && Number(item['expiresAt']) <= secondsAt(nowMs);
const mostListed = 1_000;

/** Requests to sign in, links, sessions and operator tokens. Secrets are kept as hashes, and what is known of a person is sealed. */
export const signInStore = (table: Table, vault: Vault) => {
  const people = peopleKeyStore(table, vault);

  const sessionFrom = async (item: Item): Promise<Session & { readonly email: string }> => {
    const { cipher } = await people.open(String(item['sealedKey']));
    const known = JSON.parse(cipher.open(String(item['PK']), item['known']));
    return {
      ...known,
      id: String(item['id']),
      createdAt: iso(timeOfId(String(item['id']))),
      expiresAt: iso(Number(item['expiresAt']) * 1_000),
    };
  };

  const tokenFrom = async (item: Item): Promise<OperatorToken> => {
    const { cipher } = await people.open(String(item['sealedKey']));
    return {
      id: String(item['id']),
      name: String(item['name']),
      prefix: String(item['prefix']),
      createdAt: iso(timeOfId(String(item['id']))),
      createdBy: item['createdBy'] === undefined ? null : cipher.open(String(item['PK']), item['createdBy']),
    };
  };

  return {
    /** Remembers that someone asked to sign in with this address. The mail follows from this write, which is the same for an unknown address. */
    ask: async (email: string, nowMs: number): Promise<void> => {
      const known = await people.find();
      if (!known) return;
      const key = itemKeys.signInRequest(newId(nowMs));
      const expiresAt = secondsAt(nowMs) + linkSeconds;
      await table.put({
        Item: { ...key, entity: 'sign-in', email: known.cipher.seal(key.PK, email), expiresAt },
      });
    },

    /** Who asked. Undefined: too long ago. */
    asked: async (place: string, nowMs: number): Promise<{ person: string; email: string } | undefined> => {
      const known = await people.find();
      const item = known && (await table.get({ ...itemKeys.signInRequest(''), PK: place }));
      if (!item || isOver(item, nowMs)) return undefined;
      const email = known.cipher.open(place, item['email']);
      return { email, person: known.cipher.fingerprint('email', email) };
    },

    /** A link that signs this person in. One without an end may be used more than once. */
    link: async (
      { person, email }: { readonly person: string; readonly email: string },
      nowMs: number,
      reusable?: string,
    ): Promise<string> => {
      const token = reusable ?? makeSecret();
      const key = itemKeys.signInLink(hashOf(token));
      const known = await people.find();
      const ends = reusable === undefined ? { expiresAt: secondsAt(nowMs) + linkSeconds } : { isReusable: true };
      const Item = { ...key, entity: 'sign-in-link', person, email: known?.cipher.seal(key.PK, email), ...ends };
      await table.put({ Item });
      return token;
    },

    /** Whom a link signs in. Undefined: it is unknown or too old. */
    findLink: async (
      token: string,
      nowMs: number,
    ): Promise<{ readonly person: string; readonly isReusable: boolean } | undefined> => {
      const item = isSecret(token) ? await table.get(itemKeys.signInLink(hashOf(token))) : undefined;
      if (!item || isOver(item, nowMs)) return undefined;
      return { person: String(item['person']), isReusable: item['isReusable'] === true };
    },

    /** Exchanges a link for a session's secret. Undefined: it is unknown, used or too old. */
    exchange: async (token: string, from: Origin, nowMs: number): Promise<string | undefined> => {
      const known = isSecret(token) ? await people.find() : undefined;
      if (!known) return undefined;
      const linkKey = itemKeys.signInLink(hashOf(token));
      const used = await table.update({
        Key: linkKey,
        UpdateExpression: 'SET usedAt = :nowText',
        ConditionExpression:
          'attribute_exists(PK) AND (isReusable = :yes OR (attribute_not_exists(usedAt) AND expiresAt > :now))',
        ExpressionAttributeValues: { ':nowText': iso(nowMs), ':now': secondsAt(nowMs), ':yes': true },
      });
      if (!used.done) return undefined;
      const email = known.cipher.open(linkKey.PK, used.item['email']);
      const person = String(used.item['person']);
      const secret = makeSecret();
      const [id, key] = [newId(nowMs), itemKeys.signInSession(hashOf(secret))];
      const kept = { ...from, userAgent: from.userAgent.slice(0, 400), email };
      await table.put({
        Item: {
          ...key,
          ...indexKeys.signInSession(person, id),
          entity: 'session',
          id,
          person,
          sealedKey: known.ref.sealedKey,
          known: known.cipher.seal(key.PK, JSON.stringify(kept)),
          expiresAt: secondsAt(nowMs) + sessionSeconds,
        },
      });
      return secret;
    },

    /** Whose session this is. One point read. */
    callerWithSession: async (secret: string, nowMs: number): Promise<Identified | undefined> => {
      const hash = hashOf(secret);
      const item = isSecret(secret) ? await table.get(itemKeys.signInSession(hash)) : undefined;
      if (!item || isOver(item, nowMs)) return undefined;
      const { id, email, expiresAt } = await sessionFrom(item);
      const person = String(item['person']);
      return { kind: 'session', id, hash, person, email, name: null, expiresAt, sealedKey: String(item['sealedKey']) };
    },

    /** The script that has this token. One point read. */
    callerWithToken: async (token: string): Promise<Identified | undefined> => {
      const hash = hashOf(token);
      const item = isOperatorToken(token) ? await table.get(itemKeys.operatorToken(hash)) : undefined;
      if (!item) return undefined;
      const [id, name, sealedKey] = [String(item['id']), String(item['name']), String(item['sealedKey'])];
      return { kind: 'token', id, hash, person: 'token', email: null, name, expiresAt: null, sealedKey };
    },

    /** A person's sessions, newest first. */
    sessions: async (person: string, nowMs: number): Promise<Session[]> => {
      const items = await table.query(partitions.signInSessionsOf(person), {
        ...everyId,
        newestFirst: true,
        limit: mostListed,
      });
      return Promise.all(items.filter((item) => !isOver(item, nowMs)).map(sessionFrom));
    },

    /** The hash of the secret of a person's session. Undefined: they have none with this id. */
    hashOfSession: async (person: string, id: string): Promise<string | undefined> => {
      if (!isId(id)) return undefined;
      const [item] = await table.query(partitions.signInSessionsOf(person), { from: id, to: id, newestFirst: false });
      return item && String(item['PK']).slice(itemKeys.signInSession('').PK.length);
    },

    /** From now on, no key is lent in a session. */
    lendNoMore: async (hash: string): Promise<void> => {
      await table.update({
        Key: itemKeys.signInSession(hash),
        UpdateExpression: 'SET isEnding = :yes',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':yes': true },
      });
    },

    /** Ends a session: its next request is refused. */
    signOut: async (hash: string): Promise<void> => table.remove(itemKeys.signInSession(hash)),

    createToken: async (
      token: string,
      { id, name, createdBy }: { readonly id: string; readonly name: string; readonly createdBy: string },
      dataKeys?: DataKeys,
    ): Promise<OperatorToken> => {
      const known = dataKeys ? await people.create(dataKeys) : await people.find();
      const key = itemKeys.operatorToken(hashOf(token));
      const item = {
        ...key,
        ...indexKeys.operatorToken(id),
        entity: 'operator-token',
        id,
        name,
        prefix: token.slice(0, 7),
        sealedKey: known?.ref.sealedKey,
        createdBy: known?.cipher.seal(key.PK, createdBy),
      };
      return tokenFrom((await table.add(item)) ?? item);
    },

    tokens: async (): Promise<OperatorToken[]> => {
      const items = await table.query(partitions.operatorTokens(), {
        ...everyId,
        newestFirst: true,
        limit: mostListed,
      });
      return Promise.all(items.map(tokenFrom));
    },

    /** Revokes at once. False: unknown. */
    revokeToken: async (id: string): Promise<boolean> => {
      if (!isId(id)) return false;
      const [item] = await table.query(partitions.operatorTokens(), { from: id, to: id, newestFirst: false });
      if (item) await table.remove(keyIn(item));
      return item !== undefined;
    },
  };
};

export type SignInStore = ReturnType<typeof signInStore>;
