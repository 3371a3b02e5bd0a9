import { platform } from '../../shared/people/person.ts';
import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { everyone } from './people.ts';
import { rightsIn } from './rights.ts';
import type { Staff } from './staff.ts';
import type { World } from './world.ts';

const most = 1_000;

/** What the product says of people when all is quiet, read by its own stores. */
export const peopleFactsOf = (
  world: World,
  { inside }: Code,
  staff: Staff,
  { accounts }: { readonly accounts: readonly Account[] },
) => {
  const { members, signIns, audit } = inside.stores;
  const nowMs = world.timeline.nowMs();
  const page = { cursor: undefined, limit: most };
  const rows = world.table.all();

  const scopeAt = async (scope: string) => ({
    scope,
    members: await members().list(scope, page),
    heads: Number(rows.find(({ PK, SK }) => PK === `MEMBERS#${scope}` && SK === 'COUNT')?.['heads']),
    history: historyOf(world, scope),
  });

  /** Requests for links that were taken, with who asked. */
  const askedFor = async () => {
    const places = rows.flatMap(({ entity, PK }) => (entity === 'sign-in' ? [String(PK)] : []));
    const found = places.map(async (place) => {
      const atMs = inside.timeOfId(place.slice('SIGNIN#'.length));
      return { atMs, email: (await signIns().asked(place, atMs))?.email };
    });
    return Promise.all(found);
  };

  return world.spared(async () => {
    const span = { ...page, fromMs: undefined, toMs: undefined };
    const sessionsOf = async (email: string) => {
      const person = await members().personOf(email);
      return { email, sessions: person === undefined ? [] : await signIns().sessions(person, nowMs) };
    };
    return {
      staff,
      rights: rightsIn(staff),
      scopes: await Promise.all([...accounts.map(({ ref }) => ref.id), platform].map(scopeAt)),
      sessions: await Promise.all(everyone.map(sessionsOf)),
      tokens: await signIns().tokens(),
      changes: await audit().list(undefined, span, nowMs),
      changesOf: await Promise.all(
        accounts.map(async ({ ref: { id } }) => ({ id, changes: await audit().list(id, span, nowMs) })),
      ),
      askedFor: await askedFor(),
      newSessions: world.changes.filter(({ before, after }) => !before && after?.['entity'] === 'session').length,
    };
  });
};

export type PeopleFacts = Awaited<ReturnType<typeof peopleFactsOf>>;

/** A change of a membership, and how many owners or operators the scope had then. */
export interface MemberChange {
  readonly kind: 'add' | 'change' | 'remove';
  readonly id: string;
  readonly heads: number;
}

const historyOf = ({ changes }: World, scope: string): readonly MemberChange[] => {
  let heads = 0;
  return changes.flatMap(({ before, after }) => {
    const { entity, place: of, id } = { entity: undefined, place: undefined, id: '', ...(after ?? before) };
    // A condition that is checked is a change here.
    if (entity !== 'membership' || of !== scope || before?.['role'] === after?.['role']) return [];
    const isHead = (role: unknown): number => Number(role === 'owner' || role === 'operator');
    heads += isHead(after?.['role']) - isHead(before?.['role']);
    return [{ kind: !before ? 'add' : after ? 'change' : 'remove', id: String(id), heads }];
  });
};
