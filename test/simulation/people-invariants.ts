import { platform } from '../../shared/people/person.ts';
import type { Deed } from './desk.ts';
import type { LentUse } from './doings.ts';
import type { Invariant, Judged } from './invariants.ts';
import { isToken, mostInvitations, type Pass } from './people.ts';
import type { PeopleFacts } from './people-facts.ts';
import { type Rights, spanOf } from './rights.ts';

const statusOf = ({ end }: Deed): number => end?.answer.status ?? 503;
const codeOf = ({ end }: Deed): unknown => end?.answer.body?.error?.code;

/** For worlds with people at work. */
export const ofPeople =
  (what: (people: PeopleFacts, judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    judged.people ? what(judged.people, judged) : [];

const nameOf = ({ action, agent, by, account }: Deed): string =>
  `${agent}: ${action} of ${account?.ref.id ?? platform} by ${by.email ?? 'a token'}`;

/** What each answered request breaks. */
const ofDeeds = (what: (deed: Deed, rights: Rights, people: PeopleFacts) => string | false) =>
  ofPeople((people) =>
    people.staff.deeds.flatMap((deed) => {
      const broken = statusOf(deed) < 500 && what(deed, people.rights, people);
      return broken ? [`${nameOf(deed)}: ${broken}`] : [];
    }),
  );

const ofUses = (what: (use: LentUse & { readonly status: number }, rights: Rights) => string | false) =>
  ofPeople(({ staff, rights }) =>
    staff.uses.flatMap((use) => {
      const { end, lent, isWrite } = use;
      const broken = end && end.status < 500 && what({ ...use, status: end.status }, rights);
      const name = `${lent.api} ${isWrite ? 'write' : 'read'} at ${use.fromMs} with what ${nameOf(lent.deed)}`;
      return broken ? [`${name}: ${broken}`] : [];
    }),
  );

const isLetIn = ({ status }: { readonly status: number }): boolean => status !== 401 && status !== 403;
const roleFor = ({ lent: { api }, isWrite }: LentUse) => {
  if (!isWrite) return 'viewer';
  return api === 'messaging' ? 'developer' : 'owner';
};

/** What was asked for the person who has a key, and ends it if it was made: who is added to a scope keeps theirs. */
const endingChanges = ({ lent: { by, account } }: LentUse, { known }: Rights, { staff }: PeopleFacts) =>
  staff.appointments
    .filter(({ email, scope }) => email === by.email && (scope === account.ref.id || scope === platform))
    .filter(({ tries }) => !tries.some(({ action }) => action.startsWith('add')))
    .map(known);

const isKeyOver = (use: LentUse, rights: Rights, people: PeopleFacts): boolean => {
  const { lent, fromMs } = use;
  return (
    fromMs >= lent.endsMs ||
    rights.isOver(lent.by, spanOf(use)) === 'surely' ||
    rights.mayAs(lent.by, roleFor(use), lent.account.ref.id, spanOf(use)) === 'never' ||
    endingChanges(use, rights, people).some(
      ({ outcome }) => outcome.is === 'made' && outcome.fromMs > lent.fromMs && outcome.doneMs < fromMs,
    )
  );
};

const wasRefused = (tries: readonly Deed[]): boolean => tries.every((deed) => [401, 403, 404].includes(statusOf(deed)));

const isKeyThere = (use: LentUse, rights: Rights, people: PeopleFacts): boolean => {
  const { lent } = use;
  const { toMs } = spanOf(use);
  const span = { fromMs: lent.deed.fromMs, toMs };
  return (
    toMs < lent.endsMs - 1_000 &&
    rights.isOver(lent.by, span) === 'never' &&
    rights.mayAs(lent.by, roleFor(use), lent.account.ref.id, span) === 'surely' &&
    !endingChanges(use, rights, people).some(
      ({ tries, outcome }) => !wasRefused(tries) && outcome.fromMs <= toMs && outcome.settledMs >= span.fromMs,
    )
  );
};

/** Of passes that are surely there, or surely over, when all is quiet. */
const passesNow = ({ staff, rights }: PeopleFacts, { world }: Judged) => {
  const now = { fromMs: world.timeline.nowMs(), toMs: world.timeline.nowMs() };
  const areSo = (surety: string): readonly Pass[] =>
    staff.passes.filter((pass) => pass.id !== undefined && rights.isOver(pass, now) === surety);
  return { there: areSo('never'), over: areSo('surely') };
};

/** An index may be behind by less. */
const behindMs = 2_500;

export const peopleInvariants: readonly Invariant[] = [
  {
    name: 'nobody does what their role and their session do not allow',
    violations: ofDeeds((deed, rights) => {
      const span = spanOf(deed);
      if (statusOf(deed) === 401) return false;
      if (rights.isOver(deed.by, span) === 'surely') return `${statusOf(deed)} after the end of the session`;
      if (rights.isAllowed(deed) !== 'never') return false;
      if (statusOf(deed) < 300) return 'it was done';
      const isStranger = deed.account && rights.mayAs(deed.by, 'viewer', deed.account.ref.id, span) === 'never';
      return Boolean(isStranger) && codeOf(deed) !== 'account_not_found' && `a stranger was told ${codeOf(deed)}`;
    }),
  },
  {
    name: 'nobody is refused what their role and their session allow',
    violations: ofDeeds((deed, rights) => {
      const isRefused = [401, 403].includes(statusOf(deed)) || codeOf(deed) === 'account_not_found';
      const isThere = rights.isOver(deed.by, spanOf(deed)) === 'never';
      return isRefused && isThere && rights.isAllowed(deed) === 'surely' && `${statusOf(deed)} ${codeOf(deed)}`;
    }),
  },
  {
    name: 'a lent key ends with its session, its membership, or its time',
    violations: ofPeople((people, judged) =>
      ofUses((use, rights) => isLetIn(use) && isKeyOver(use, rights, people) && `it was answered ${use.status}`)(
        judged,
      ),
    ),
  },
  {
    name: 'a lent key works until then',
    violations: ofPeople((people, judged) =>
      ofUses((use, rights) => !isLetIn(use) && isKeyThere(use, rights, people) && `it was answered ${use.status}`)(
        judged,
      ),
    ),
  },
  {
    name: 'an account keeps an owner, and the platform an operator',
    violations: ofPeople(({ scopes }) =>
      scopes.flatMap(({ scope, members, heads, history }) => {
        const count = members.filter(({ role }) => role === 'owner' || role === 'operator').length;
        const wasWithout = history.some((change) => change.heads === 0);
        const isWrong = count !== heads;
        return [
          ...(wasWithout ? [`${scope} was without`] : []),
          ...(isWrong ? [`${scope} has ${count}, and counts ${heads}`] : []),
        ];
      }),
    ),
  },
  {
    name: 'members, sessions and tokens are as they were last asked to be',
    violations: ofPeople((people, judged) => {
      const { scopes, sessions, tokens, staff, rights } = people;
      const now = { fromMs: judged.world.timeline.nowMs(), toMs: judged.world.timeline.nowMs() };
      const { there, over } = passesNow(people, judged);
      const listed = (pass: Pass): boolean =>
        isToken(pass)
          ? tokens.some(({ id }) => id === pass.id)
          : sessions.some((own) => own.email === pass.email && own.sessions.some(({ id }) => id === pass.id));
      const emails = new Set(sessions.map(({ email }) => email));
      return [
        ...scopes.flatMap(({ scope, members }) =>
          [...emails].flatMap((email) => {
            const roles = members.filter((each) => each.email === email).map(({ role }) => role);
            const is = roles[0] ?? 'none';
            const isRight = roles.length < 2 && rights.standings(email, scope, now).includes(is);
            return isRight ? [] : [`${email} is ${roles.join()} in ${scope}`];
          }),
        ),
        ...there.filter((pass) => !listed(pass)).map(({ email, id }) => `${email ?? 'token'} ${id} is gone`),
        ...over.filter(listed).map(({ email, id }) => `${email ?? 'token'} ${id} is there`),
        ...scopes.flatMap(({ members }) => members.filter(({ email }) => !emails.has(email)).map(({ email }) => email)),
        ...(staff.passes.length > 0 ? [] : ['nobody']),
      ];
    }),
  },
  {
    name: 'who is a member is found, and is removed unless they are the last owner or operator',
    violations: ofDeeds((deed, rights, { staff }) => {
      if (!/^(change|remove)/.test(deed.action)) return false;
      const id = deed.path?.['memberId'] ?? deed.path?.['operatorId'];
      const member = staff.members.find((each) => each.id === id);
      if (!member) return false;
      const { fromMs, toMs } = spanOf(deed);
      const isIn = rights.isIn(member.email, member.scope, { fromMs: member.fromMs, toMs }, (one) => one !== 'none');
      if (codeOf(deed) === 'not_found')
        return fromMs - behindMs > member.fromMs && isIn === 'surely' && 'it was not found';
      const others = staff.members.filter(({ scope, email }) => scope === member.scope && email !== member.email);
      const isHeaded = others.some(
        ({ email, scope }) =>
          rights.isIn(email, scope, { fromMs, toMs }, (one) => one === 'owner' || one === 'operator') === 'surely',
      );
      return codeOf(deed) === 'conflict' && isHeaded && 'another one is there';
    }),
  },
  {
    name: 'an account invites as many people a day as it may',
    violations: ofPeople(({ staff: { deeds, people }, rights }) => {
      const tried = deeds.filter(({ action, by, ...deed }) => {
        const isAdding = action === 'addMember';
        return isAdding && rights.isOperator(by, spanOf(deed)) === 'never';
      });
      return [...Map.groupBy(tried, ({ account }) => account?.ref.id)].flatMap(([account, some]) => {
        const added = some.filter((deed) => statusOf(deed) === 201).length;
        if (added > people.invitationsLeft) return [`${account} has invited ${added} of ${people.invitationsLeft}`];
        const isRefused = some.some((deed) => codeOf(deed) === 'invalid_request');
        return isRefused && some.length <= people.invitationsLeft && people.invitationsLeft < mostInvitations
          ? [`${account} may not invite ${people.invitationsLeft}`]
          : [];
      });
    }),
  },
];
