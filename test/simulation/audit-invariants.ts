import { platform } from '../../shared/people/person.ts';
import type { Answer } from './client.ts';
import { actions, type Deed } from './desk.ts';
import type { Invariant } from './invariants.ts';
import type { PeopleFacts } from './people-facts.ts';
import { ofPeople } from './people-invariants.ts';
import { spanOf } from './rights.ts';

type Entry = PeopleFacts['changes'][number];

const statusOf = ({ end }: Deed): number => end?.answer.status ?? 503;
/** A key that is lent changes nothing: what is changed with it is noted. */
const isChange = ({ action }: Deed): boolean => !actions[action].routeKey.startsWith('GET') && action !== 'lendKey';

const resourceAt = (routeKey: string, path: Readonly<Record<string, string>>): string =>
  routeKey.replace(/^\S+ /, '').replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');

const resourceOf = ({ action, account, path }: Deed): string =>
  resourceAt(actions[action].routeKey, { ...path, ...(account && { id: account.ref.id }) });

/** Its path, and the id of what it made, which an answer that was lost did not tell. */
const isResourceOf = (resource: string, deed: Deed): boolean => {
  const path = resourceOf(deed);
  const answer = deed.end?.answer;
  if (resource === path) return true;
  return answer?.status === 201
    ? resource === `${path}/${idIn(answer)}`
    : statusOf(deed) >= 500 && isBelow(resource, path);
};

const idIn = ({ body }: Answer): unknown => body?.data?.id;
const isBelow = (resource: string, path: string): boolean => /^\/[\w-]+$/.test(resource.replace(path, ''));

/** What changes the members of a scope. */
const changing = {
  add: { account: 'addMember', platform: 'addOperator' },
  change: { account: 'changeMember', platform: 'changeMember' },
  remove: { account: 'removeMember', platform: 'removeOperator' },
} as const;

const mayBeDone = ({ status }: Entry): boolean => status === null || status < 300 || status >= 500;

/** What an entry has wrong of the request that it is of. */
const wrongIn = (entry: Entry, deed: Deed, { rights }: PeopleFacts): string | undefined => {
  const { by, account, fromMs } = deed;
  const { status, actor, resource, at } = entry;
  if (status !== null && statusOf(deed) < 500 && status !== statusOf(deed))
    return `status ${status}, not ${statusOf(deed)}`;
  if (actor.email !== (by.email ?? null)) return `it names ${actor.email}`;
  if (!isResourceOf(resource, deed)) return `it names ${resource}`;
  if (Date.parse(at) < fromMs) return `it is of ${at}`;
  const isInside = account ? rights.mayAs(by, 'viewer', account.ref.id, spanOf(deed)) : 'never';
  if (isInside === 'surely' && entry.accountId !== account?.ref.id) return 'its account does not have it';
  return isInside === 'never' && entry.accountId !== null
    ? 'an account has it that the caller is a stranger to'
    : undefined;
};

const nameOf = ({ agent, action, by }: Deed): string => `${agent}: ${action} by ${by.email ?? 'a token'}`;

/** An answer shows that the caller was known: only then is there somebody to name. */
const isAnswered = (deed: Deed): boolean => statusOf(deed) < 500 && statusOf(deed) !== 401;

export const auditInvariants: readonly Invariant[] = [
  {
    name: 'a change by a person or a token is in the audit log, once, with what came of it',
    violations: ofPeople((people, { world }) => {
      const isCalm = world.machine.faultsMet.length === 0;
      return people.staff.deeds.filter(isChange).flatMap((deed) => {
        const { routeKey } = actions[deed.action];
        const entries = people.changes.filter(
          ({ userAgent, action }) => userAgent === deed.agent && action === routeKey,
        );
        const wrong = entries.flatMap((entry) => wrongIn(entry, deed, people) ?? []);
        const least = isAnswered(deed) ? 1 : 0;
        const isCounted = entries.length >= least && entries.length <= 1;
        const isOpen = isCalm && isAnswered(deed) && entries.some(({ status }) => status === null);
        return [
          ...(isCounted ? [] : [`${entries.length} entries of ${nameOf(deed)}, answered ${statusOf(deed)}`]),
          ...wrong.map((what) => `entry of ${nameOf(deed)}: ${what}`),
          ...(isOpen ? [`entry of ${nameOf(deed)}: no status`] : []),
        ];
      });
    }),
  },
  {
    name: 'a change with a lent key is in the audit log, with who has the key',
    violations: ofPeople(({ staff: { keys, uses }, changes }) =>
      keys.flatMap((lent) => {
        const own = uses.filter((use) => use.lent === lent && use.isWrite);
        const entries = changes.filter(
          ({ userAgent, action }) => userAgent === lent.deed.agent && / \/(api\/)?v1\//.test(action),
        );
        const least = own.filter(({ end }) => end && end.status < 500 && end.status !== 401).length;
        const isCounted =
          entries.length >= least && entries.length <= own.filter(({ end }) => end?.status !== 401).length;
        const isOwn = entries.every(
          ({ accountId, actor }) => accountId === lent.account.ref.id && actor.email === (lent.by.email ?? null),
        );
        return isCounted && isOwn ? [] : [`${entries.length} entries of ${lent.deed.agent}, who changed ${least}`];
      }),
    ),
  },
  {
    name: 'the log of an account has its own entries, all of them',
    violations: ofPeople(({ changes, changesOf }) =>
      changesOf.flatMap(({ id, changes: own }) => {
        const wanted = changes.filter(({ accountId }) => accountId === id).map((entry) => entry.id);
        const there = own.map((entry) => entry.id);
        return there.join() === wanted.join() ? [] : [`${id} has ${there.length} of ${wanted.length}`];
      }),
    ),
  },
  {
    name: 'what is not in the audit log was not done',
    violations: ofPeople(({ staff: { people }, changes, scopes }) =>
      scopes.flatMap(({ scope, history }) =>
        history
          .filter(({ kind, id }) => !(kind === 'add' && people.members.some((first) => first.id === id)))
          .flatMap(({ kind, id }) => {
            const action = actions[changing[kind][scope === platform ? 'platform' : 'account']].routeKey;
            const resource = resourceAt(action, { id: scope, memberId: id, operatorId: id });
            const isThere = changes.some(
              (entry) =>
                [resource, `${resource}/${id}`].includes(entry.resource) && entry.action === action && mayBeDone(entry),
            );
            return isThere ? [] : [`${kind} ${id} of ${scope}`];
          }),
      ),
    ),
  },
];
