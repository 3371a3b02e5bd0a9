import { minuteMs } from '../../shared/kit/time-units.ts';
import type { Invariant } from './invariants.ts';
import { everyone, type Standing } from './people.ts';
import type { PeopleFacts } from './people-facts.ts';
import { ofPeople } from './people-invariants.ts';
import { type Surety, spanOf } from './rights.ts';
import { type Asking, type Click, linkMs } from './sign-ins.ts';

/** As `shared/http/ask-to-sign-in.ts` has it. */
const mostMails = 3;
/** From the link to its mail, and from a request to its link, it takes less. */
const mailedMs = 60_000;

const isSomebody = (standing: Standing): boolean => standing !== 'none';

/** Whether a person is a member of anything, or an operator. */
const isKnown = ({ scopes, rights }: PeopleFacts, email: string, span: Parameters<typeof rights.isIn>[2]): Surety => {
  const all = scopes.map(({ scope }) => rights.isIn(email, scope, span, isSomebody));
  return all.includes('surely') ? 'surely' : all.includes('perhaps') ? 'perhaps' : 'never';
};

const isTaken = ({ end }: Asking): boolean => end !== undefined && end.status < 400;
const hasSecret = ({ end }: Click): boolean => end?.secret !== undefined;

/** Mails that SES refused, or gave no answer to, are not sent again. */
const mailsFailed = (faults: readonly string[]): number =>
  faults.filter((fault) => fault.includes('notices/give-notice') && fault.includes('SendRawEmail')).length;

export const signInInvariants: readonly Invariant[] = [
  {
    name: 'a link signs in once, within its ten minutes',
    violations: ofPeople(({ staff: { clicks, people }, newSessions }) =>
      [...Map.groupBy(clicks, ({ letter }) => letter)]
        .flatMap(([{ to, atMs }, all]) => {
          const used = all.filter(hasSecret);
          const late = used.filter(({ fromMs }) => fromMs > atMs + linkMs);
          const [first, ...others] = all.filter(({ isLook }) => !isLook);
          const isAlone = first?.end && others.every(({ fromMs }) => fromMs > (first.end?.atMs ?? 0));
          const isEarly = first && first.fromMs < atMs + linkMs - mailedMs;
          const isRefused = isAlone && isEarly && first.end?.status === 303 && !hasSecret(first);
          return [
            ...(used.length > 1 ? [`the link to ${to} was used ${used.length} times`] : []),
            ...(late.length > 0 ? [`the link to ${to} was used late`] : []),
            ...(used.some(({ isLook }) => isLook) ? [`the link to ${to} was used by a look at it`] : []),
            ...(isRefused ? [`the link to ${to} of ${atMs} did not work`] : []),
          ];
        })
        .concat(
          newSessions > people.passes.length - 1 + new Set(clicks.map(({ letter }) => letter)).size
            ? [`${newSessions} sessions`]
            : [],
        ),
    ),
  },
  {
    name: 'who asks to sign in is mailed a link, if they are somebody here',
    violations: ofPeople((people, { world }) => {
      const { staff } = people;
      const failed = mailsFailed(world.machine.faultsMet);
      return everyone.flatMap((email) => {
        const asked = staff.askings.filter((one) => one.email === email);
        const due = asked.filter((one) => {
          const { fromMs, toMs } = spanOf(one);
          const near = asked.filter((other) => Math.abs(other.fromMs - fromMs) <= minuteMs);
          return (
            isTaken(one) &&
            near.length <= mostMails &&
            isKnown(people, email, { fromMs, toMs: toMs + linkMs }) === 'surely'
          );
        });
        const links = staff.letters.filter(({ to, token }) => to === email && token !== undefined);
        const strange = links.filter(
          ({ atMs }) => isKnown(people, email, { fromMs: atMs - mailedMs, toMs: atMs }) === 'never',
        );
        return [
          ...(links.length + failed < due.length
            ? [`${links.length} links to ${email} for ${due.length} requests`]
            : []),
          ...(asked.length === 0 && links.length > 0 ? [`a link to ${email}, who did not ask`] : []),
          ...(strange.length > 0 ? [`a link to ${email}, who is nobody here`] : []),
        ];
      });
    }),
  },
  {
    name: 'an address is mailed three links a minute at most',
    violations: ofPeople(({ askedFor }) =>
      [...Map.groupBy(askedFor, ({ email, atMs }) => `${email} in minute ${Math.floor(atMs / minuteMs)}`)].flatMap(
        ([when, all]) => (all.length > mostMails ? [`${all.length} links to ${when}`] : []),
      ),
    ),
  },
  {
    name: 'who is made a member is told so by email',
    violations: ofPeople(({ staff, rights, scopes }, { world }) => {
      const failed = mailsFailed(world.machine.faultsMet);
      const accounts = scopes.filter(({ scope }) => scope !== 'platform');
      const toldOf = (email: string) => staff.letters.filter(({ to, token }) => to === email && token === undefined);
      return everyone.flatMap((email) => {
        const added = accounts.flatMap(({ scope }) =>
          staff.appointments.filter((one) => {
            const isAdded =
              one.email === email && one.scope === scope && one.tries.some(({ end }) => end?.answer.status === 201);
            const { doneMs } = rights.known(one).outcome;
            return (
              isAdded &&
              rights.isIn(email, scope, { fromMs: doneMs + 1, toMs: world.timeline.nowMs() }, isSomebody) === 'surely'
            );
          }),
        );
        const told = toldOf(email);
        const isWanted = staff.appointments.some(({ email: of, scope }) => of === email && scope !== 'platform');
        return [
          ...(told.length + failed < added.length
            ? [`${told.length} mails to ${email}, ${added.length} times added`]
            : []),
          ...(told.length > 0 && !isWanted ? [`a mail to ${email}, whom nobody added`] : []),
        ];
      });
    }),
  },
];
