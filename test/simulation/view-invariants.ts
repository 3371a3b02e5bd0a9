import { platform } from '../../shared/people/person.ts';
import type { Deed } from './desk.ts';
import type { Invariant } from './invariants.ts';
import { isToken, type Pass } from './people.ts';
import type { PeopleFacts } from './people-facts.ts';
import { ofPeople } from './people-invariants.ts';
import { type Span, spanOf } from './rights.ts';

/** An index may be behind by less. */
const behindMs = 2_500;

interface Row {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly accountId: string | null;
}

const rowsIn = ({ end }: Deed): readonly Row[] => end?.answer.body.data;

/** A list is of an index: it may show what was so a moment ago. */
const behind = (deed: Deed): Span => ({ ...spanOf(deed), fromMs: deed.fromMs - behindMs });

/** The accounts that a person sees, each with their role where it is shown. */
const wrongScopes = (email: string, rows: readonly Partial<Row>[], deed: Deed, { scopes, rights }: PeopleFacts) =>
  scopes.flatMap(({ scope }) => {
    if (scope === platform) return [];
    const row = rows.find(({ id }) => id === scope);
    const all = rights.standings(email, scope, spanOf(deed));
    const isRight = row ? all.some((one) => one !== 'none' && one === (row.role ?? one)) : all.includes('none');
    return isRight ? [] : [`${email} sees ${row?.role ?? (row ? 'it' : 'nothing')} of ${scope}`];
  });

const wrongInMe = (deed: Deed, people: PeopleFacts): readonly string[] => {
  const { by, end } = deed;
  const me = end?.answer.body.data;
  if (me.email !== (by.email ?? null)) return [`it is ${me.email}`];
  if (by.id !== undefined && !isToken(by) && me.sessionId !== by.id) return [`the session is ${me.sessionId}`];
  const isOperator = people.rights.isOperator(by, spanOf(deed));
  if (isOperator === (me.isOperator ? 'never' : 'surely')) return [`an operator: ${me.isOperator}`];
  return me.isOperator || by.email === undefined ? [] : wrongScopes(by.email, me.accounts, deed, people);
};

const wrongInAccounts = (deed: Deed, people: PeopleFacts): readonly string[] => {
  const { email } = deed.by;
  const isMember = email !== undefined && people.rights.isOperator(deed.by, spanOf(deed)) === 'never';
  const rows = rowsIn(deed).map(({ id }) => ({ id }));
  return isMember ? wrongScopes(email, rows, deed, people) : [];
};

const wrongInMembers = (scope: string, deed: Deed, { sessions, rights }: PeopleFacts): readonly string[] =>
  sessions.flatMap(({ email }) => {
    const roles = rowsIn(deed)
      .filter((row) => row.email === email)
      .map(({ role }) => role);
    const all = rights.standings(email, scope, behind(deed));
    const [is = scope === platform && roles.length > 0 ? 'operator' : 'none'] = scope === platform ? [] : roles;
    // Who was removed and added is there once for each.
    return all.some((one) => one === is) || (roles.length > 1 && all.length > 1) ? [] : [`${email} is ${is}`];
  });

/** Of sessions or tokens, those that are surely there, and those that are surely not. */
const wrongInPasses = (own: readonly Pass[], others: readonly Pass[], deed: Deed, { rights }: PeopleFacts) => {
  const ids = new Set(rowsIn(deed).map(({ id }) => id));
  const isListed = ({ id }: Pass): boolean => id !== undefined && ids.has(id);
  const isOld = ({ id, fromMs }: Pass): boolean => id !== undefined && fromMs < deed.fromMs - behindMs;
  const missing = own.filter((pass) => isOld(pass) && rights.isOver(pass, spanOf(deed)) === 'never' && !isListed(pass));
  const over = own.filter((pass) => rights.isOver(pass, behind(deed)) === 'surely' && isListed(pass));
  return [
    ...missing.map(({ id }) => `${id} is missing`),
    ...over.map(({ id }) => `${id} is over`),
    ...others.filter(isListed).map(({ id, email }) => `${id} is of ${email}`),
  ];
};

const wrongIn = (deed: Deed, people: PeopleFacts): readonly string[] => {
  const { action, by, account } = deed;
  const { passes } = people.staff;
  const areOf = (email: string | undefined) => passes.filter((pass) => pass.email === email);
  switch (action) {
    case 'getMe':
      return wrongInMe(deed, people);
    case 'listAccounts':
      return wrongInAccounts(deed, people);
    case 'listMembers':
      return wrongInMembers(account?.ref.id ?? '', deed, people);
    case 'listOperators':
      return wrongInMembers(platform, deed, people);
    case 'listTokens':
      return wrongInPasses(areOf(undefined), [], deed, people);
    case 'listSessions':
      return wrongInPasses(
        isToken(by) ? [] : areOf(by.email),
        passes.filter(({ email }) => isToken(by) || email !== by.email),
        deed,
        people,
      );
    case 'listAccountChanges':
      return rowsIn(deed).flatMap(({ accountId }) =>
        accountId === account?.ref.id ? [] : [`a change of ${accountId}`],
      );
    default:
      return [];
  }
};

export const viewInvariants: readonly Invariant[] = [
  {
    name: 'people see themselves and their accounts as they are, and nothing of others',
    violations: ofPeople((people) =>
      people.staff.deeds
        .filter(({ end }) => end?.answer.status === 200)
        .flatMap((deed) => wrongIn(deed, people).map((what) => `${deed.agent}: ${deed.action}: ${what}`)),
    ),
  },
];
