import { covers, platform, type Role } from '../../shared/people/person.ts';
import { actions, type Deed } from './desk.ts';
import type { Appointment, Ending } from './doings.ts';
import type { Pass, Standing } from './people.ts';
import type { Staff } from './staff.ts';

/** Some time, from when somebody asked until they were answered. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What came of requests for the same: `unknown` where there is no answer. */
interface Outcome {
  readonly is: 'made' | 'unmade' | 'unknown';
  readonly fromMs: number;
  /** When it was answered. */
  readonly doneMs: number;
  /** When nothing of it is under way any more. */
  readonly settledMs: number;
}

/** A function that was cut off has calls under way for less. */
const restMs = 30_000;

export const spanOf = ({
  fromMs,
  end,
}: {
  readonly fromMs: number;
  readonly end?: { readonly atMs: number };
}): Span => ({
  fromMs,
  toMs: end?.atMs ?? Number.POSITIVE_INFINITY,
});

const statusOf = ({ end }: Deed): number => end?.answer.status ?? 503;
const isOpen = (deed: Deed): boolean => statusOf(deed) >= 500;
const isRemoval = ({ action }: Deed): boolean => /^(remove|revoke|end|signOut)/.test(action);
/** A repeated request finds nothing more to do. */
const isNothingLeft = (deed: Deed): boolean => {
  const { action, by, path, end } = deed;
  const isOwn = action === 'signOut' || (action === 'endSession' && path?.['sessionId'] === by.id);
  return (isOwn && statusOf(deed) === 401) || end?.answer.body?.error?.code === 'not_found';
};

/** A removal that has no answer was made if its repetition finds nothing to remove. */
const outcomeOf = (tries: readonly Deed[]): Outcome => {
  const fromMs = tries[0]?.fromMs ?? Number.POSITIVE_INFINITY;
  const doneMs = tries.at(-1)?.end?.atMs ?? Number.POSITIVE_INFINITY;
  const settledMs = doneMs + (tries.some(isOpen) ? restMs : 0);
  const isMade = tries.some((deed, n) => statusOf(deed) < 300 || (n > 0 && isRemoval(deed) && isNothingLeft(deed)));
  const is = isMade ? 'made' : tries.some(isOpen) ? 'unknown' : 'unmade';
  return { is, fromMs, doneMs, settledMs };
};

/** What may hold in some time of things that were asked for one after the other, or at once: all that nothing later has surely replaced. */
const possible = <Each extends { readonly outcome: Outcome }>(all: readonly Each[], { fromMs, toMs }: Span): Each[] => {
  const replacing = all.filter(({ outcome }) => outcome.is === 'made' && outcome.doneMs < fromMs);
  return all.filter(
    ({ outcome: one }) =>
      one.is !== 'unmade' && one.fromMs <= toMs && !replacing.some(({ outcome }) => outcome.fromMs > one.settledMs),
  );
};

const atFirst: Outcome = { is: 'made', fromMs: 0, doneMs: 0, settledMs: 0 };

export type Surety = 'surely' | 'perhaps' | 'never';
const suretyOf = (are: readonly boolean[]): Surety =>
  are.every(Boolean) ? 'surely' : are.some(Boolean) ? 'perhaps' : 'never';

/** What people may do in a world, as far as it can be known from the answers that they got. */
export const rightsIn = ({ people, members, appointments, endings }: Staff) => {
  const outcomes = new Map<Appointment | Ending, Outcome>();
  const known = <Each extends Appointment | Ending>(each: Each) => {
    const outcome = outcomes.get(each) ?? outcomeOf(each.tries);
    outcomes.set(each, outcome);
    return { ...each, outcome };
  };

  /** What a person may be in a scope. */
  const standings = (email: string, scope: string, span: Span): readonly Standing[] => {
    const own = appointments.filter((one) => one.email === email && one.scope === scope).map(known);
    return possible([{ to: people.standingAtFirst(email, scope), outcome: atFirst }, ...own], span).map(({ to }) => to);
  };

  /** Whether a person is something in a scope that fits. */
  const isIn = (email: string, scope: string, span: Span, fits: (standing: Standing) => boolean): Surety =>
    suretyOf(standings(email, scope, span).map(fits));

  const endingsOf = (pass: Pass) => endings.filter((one) => one.pass === pass).map(known);

  /** Whether a session or a token is over. */
  const isOver = (pass: Pass, { fromMs, toMs }: Span): Surety => {
    const some = endingsOf(pass).filter(({ outcome }) => outcome.is !== 'unmade' && outcome.fromMs <= toMs);
    if (some.length === 0) return 'never';
    return some.some(({ outcome: { is, doneMs } }) => is === 'made' && doneMs < fromMs) ? 'surely' : 'perhaps';
  };

  const isOperator = ({ email }: Pass, span: Span): Surety =>
    email === undefined ? 'surely' : isIn(email, platform, span, (standing) => standing === 'operator');

  /** Whether somebody has this role on an account, or may do as if. */
  const mayAs = (pass: Pass, role: Role, scope: string | undefined, span: Span): Surety => {
    const has = (standing: Standing): boolean =>
      standing !== 'none' && standing !== 'operator' && covers(standing, role);
    const both = [
      isOperator(pass, span),
      pass.email === undefined || scope === undefined ? 'never' : isIn(pass.email, scope, span, has),
    ];
    return both.includes('surely') ? 'surely' : both.includes('perhaps') ? 'perhaps' : 'never';
  };

  /** Of the membership of who asks. */
  const isLeaving = ({ action, by, path }: Deed): boolean =>
    action === 'removeMember' && members.some(({ id, email }) => id === path?.['memberId'] && email === by.email);

  return {
    isIn,
    isOver,
    isOperator,
    mayAs,
    endingsOf,
    standings,
    known,

    /** Whether the role of who asked allows it; whether their session or token is over is another question. */
    isAllowed: (deed: Deed): Surety => {
      const { action, by, account } = deed;
      const takes = isLeaving(deed) ? 'viewer' : actions[action].takes;
      if (takes === 'anyone') return 'surely';
      return takes === 'operator' ? isOperator(by, spanOf(deed)) : mayAs(by, takes, account?.ref.id, spanOf(deed));
    },
  };
};

export type Rights = ReturnType<typeof rightsIn>;
