import type { DataKeys } from '../../aws/vault.ts';
import type { Vault } from '../../kit/cipher.ts';
import type { WantedPage } from '../../kit/cursor-page.ts';
import { isId, timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { type Member, platform, type Role } from '../../people/person.ts';
import { oldestAfter } from '../after-cursor.ts';
import { type ItemKey, indexKeys, itemKeys, keyIn, partitions, personIn, scopeIn } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';
import { putNew } from '../writes.ts';
import { peopleKeyStore } from './people-key.ts';

/** A member, their fingerprint, and how many keys they were lent in the scope; undefined: however many. */
export type FoundMember = Member & { readonly person: string; readonly keysLent: number | undefined };

/** Each scope keeps at least one of these, so they are counted. */
const isHead = (role: string): boolean => role === 'owner' || role === 'operator';

/** Who is a member of which account and in which role, and who is an operator. */
export const memberStore = (table: Table, vault: Vault) => {
  const people = peopleKeyStore(table, vault);

  const memberFrom = async (item: Item): Promise<Member> => {
    const known = await people.find();
    const sealed = JSON.parse(known?.cipher.open(`${item['PK']}/${item['SK']}`, item['known']) ?? '{}');
    const id = String(item['id']);
    return { id, role: item['role'] as Member['role'], createdAt: iso(timeOfId(id)), ...sealed };
  };

  const itemOf = async (scope: string, id: string): Promise<Item | undefined> =>
    isId(id) ? (await table.query(partitions.members(scope), { from: id, to: id, newestFirst: false }))[0] : undefined;

  /** Counts the heads of a scope, and keeps the last one. */
  const countHeads = (scope: string, before: string | undefined, after: string | undefined): Write[] => {
    const by = Number(isHead(after ?? '')) - Number(isHead(before ?? ''));
    if (by === 0) return [];
    const ConditionExpression = by < 0 ? { ConditionExpression: 'heads > :least' } : {};
    return [
      {
        Update: {
          Key: itemKeys.memberCount(scope),
          UpdateExpression: 'ADD heads :by SET entity = :entity',
          ExpressionAttributeValues: { ':by': by, ':entity': 'member-count', ...(by < 0 && { ':least': 1 }) },
          ...ConditionExpression,
        },
      },
    ];
  };

  const outcomeOf = async (writes: readonly Write[]): Promise<'done' | 'last' | 'changed'> => {
    const refused = await table.transact(writes);
    if (!refused) return 'done';
    return refused.failed.some(({ position }) => position === 0) ? 'changed' : 'last';
  };

  /** Nothing has become of the member since they were found, and they were lent no key. */
  const asFound = ({ id, role, keysLent }: FoundMember) => ({
    names: {
      ConditionExpression: `id = :id AND #role = :before${keysLent === undefined ? '' : ' AND (attribute_not_exists(keysLent) OR keysLent = :keysLent)'}`,
      ExpressionAttributeNames: { '#role': 'role' },
    },
    values: { ':id': id, ':before': role, ...(keysLent !== undefined && { ':keysLent': keysLent }) },
  });

  return {
    /** A person's fingerprint. Undefined: no person is known at all. */
    personOf: async (email: string): Promise<string | undefined> =>
      (await people.find())?.cipher.fingerprint('email', email),

    /** What a person may do, as of now: one query. */
    rightsOf: async (person: string): Promise<{ isOperator: boolean; roles: Record<string, Role> }> => {
      const from = itemKeys.membership(person, '').SK;
      const to = itemKeys.membership(person, '~').SK;
      const items = await table.query(partitions.memberships(person), { from, to, newestFirst: false });
      const given = items.map((item) => [scopeIn(String(item['SK'])), item['role'] as Role] as const);
      return {
        isOperator: given.some(([scope]) => scope === platform),
        roles: Object.fromEntries(given.filter(([scope]) => scope !== platform)),
      };
    },

    /** Adds a member. False: the person is one already. `dataKeys` make the key of people, where this may be the first person. `isSilent`: no email notifies them. */
    add: async (
      scope: string,
      { id, email, role, invitedBy }: Omit<Member, 'createdAt'>,
      { dataKeys, isSilent }: { readonly dataKeys?: DataKeys; readonly isSilent?: true } = {},
    ): Promise<boolean> => {
      const known = dataKeys ? await people.create(dataKeys) : await people.find();
      if (!known) return false;
      const key = itemKeys.membership(known.cipher.fingerprint('email', email), scope);
      const item = {
        ...key,
        ...indexKeys.membership(scope, id),
        entity: 'membership',
        place: scope,
        id,
        role,
        // No email notifies them: the operator who adds them does.
        isSilent: isSilent || role === 'operator' || undefined,
        known: known.cipher.seal(`${key.PK}/${key.SK}`, JSON.stringify({ email, invitedBy })),
      };
      return (await outcomeOf([putNew(item), ...countHeads(scope, undefined, role)])) === 'done';
    },

    list: async (scope: string, { cursor, limit }: WantedPage): Promise<Member[]> => {
      const page = { ...oldestAfter(cursor), newestFirst: false, limit };
      const items = await table.query(partitions.members(scope), page);
      return Promise.all(items.map(memberFrom));
    },

    /** The member as they are now; the index only tells where they are. */
    find: async (scope: string, id: string): Promise<FoundMember | undefined> => {
      const listed = await itemOf(scope, id);
      const item = listed && (await table.get(keyIn(listed)));
      if (item?.['id'] !== id) return undefined;
      const person = personIn(String(item['PK']));
      return { ...(await memberFrom(item)), person, keysLent: Number(item['keysLent'] ?? 0) };
    },

    /** The member whose item this is. */
    read: async (key: ItemKey): Promise<Member | undefined> => {
      const item = await table.get(key);
      return item && memberFrom(item);
    },

    /** Gives a member another role. `last`: the scope would be left without a head; `changed`: it was changed meanwhile. */
    changeRole: (scope: string, found: FoundMember, after: Role) => {
      const { names, values } = asFound(found);
      return outcomeOf([
        {
          Update: {
            Key: itemKeys.membership(found.person, scope),
            UpdateExpression: 'SET #role = :after',
            ...names,
            ExpressionAttributeValues: { ...values, ':after': after },
          },
        },
        ...countHeads(scope, found.role, after),
      ]);
    },

    remove: (scope: string, found: FoundMember) => {
      const { names, values } = asFound(found);
      return outcomeOf([
        { Delete: { Key: itemKeys.membership(found.person, scope), ...names, ExpressionAttributeValues: values } },
        ...countHeads(scope, found.role, undefined),
      ]);
    },
  };
};

export type MemberStore = ReturnType<typeof memberStore>;
