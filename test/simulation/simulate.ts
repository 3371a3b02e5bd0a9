import { once } from '../../shared/kit/once.ts';
import { type Actors, openActors } from './actors.ts';
import type { Aim } from './aims.ts';
import { bundleFunctions, type Code, type Mutation } from './bundle-functions.ts';
import type { Coverage } from './coverage.ts';
import { liveForDays } from './days.ts';
import { factsOf } from './facts.ts';
import { folders } from './folders.ts';
import { type Invariant, invariants, invariantsOfDays, type Judged } from './invariants.ts';
import { peopleFactsOf } from './people-facts.ts';
import { randomIn } from './random.ts';
import { smallSizes } from './sizes.ts';
import { hasDays } from './storms.ts';
import { type Current, surroundingsOf } from './surroundings.ts';
import { dueQueuesIn } from './sweeps.ts';
import { openWorld, type World } from './world.ts';

/** Virtual time until everything must have come to its end. A refund that was interrupted is asked about after an hour, and after six; one that follows from it, too. */
const longestMs = { messages: 3 * 3_600_000, money: 7 * 3_600_000, reviews: 16 * 3_600_000 } as const;
const sweepMs = 60_000;
/** Until then, while calls fail, sweeps come each minute. Later, those that find nothing are left out. */
const busyMs = 600_000;
/** The first two may come before what is lost is an hour old. */
const rounds = 3;
const roundMs = 3_600_000;
/** A schedule is not exact: two sweeps are a minute apart, and up to so much more or less. */
const sweepLateMs = 4_000;

export interface Result {
  readonly seed: number;
  /** What does not hold, each with the name of its invariant. */
  readonly broken: readonly { readonly invariant: string; readonly what: string }[];
  readonly operations: readonly string[];
  readonly faults: readonly string[];
  readonly events: number;
}

export interface Wishes {
  readonly without?: ReadonlySet<string>;
  /** What single calls meet, beside the faults that the seed has. */
  readonly aims?: readonly Aim[];
  /** Half of what is planned takes place: a world costs half as much. */
  readonly isSparse?: boolean;
  readonly trace?: (line: string) => void;
}

/** Has a schedule look for lost work each hour, and once for the templates of the day. */
const planRounds = ({ seed, startMs, timeline, queues }: World): void => {
  const firstMs = Math.max(startMs, timeline.nowMs()) + randomIn(seed, 'rounds').below(roundMs);
  for (let n = 0; n < rounds; n += 1)
    timeline.at(firstMs + n * roundMs, () => queues.add('chores', '{"kind":"find-stranded"}', 0));
  timeline.at(firstMs, () => queues.add('chores', '{"kind":"sync-templates"}', 0));
};

/** A run that was to send deliveries again, and died, may have opened some without a job: repeated, it does not find them. */
const hasCutOffResend = ({ subscribers }: Actors): boolean =>
  subscribers?.wanted.some(({ resends }) => resends.some(({ end }) => !end || end.answer.status >= 500)) === true;

interface Waiting {
  /** Whether the product has something to do later, which a schedule finds. */
  readonly isScheduling: () => boolean;
}

/** Who may wait for a schedule, and what it is to find. */
interface WaitingActors {
  readonly messaging: Waiting;
  readonly checkout: Waiting | undefined;
  readonly reviewers: Waiting | undefined;
}

/** Lets time pass while anything is under way, with what schedules send; gives how much has happened. */
export const untilQuiet = async (
  world: World,
  { messaging, checkout, reviewers }: WaitingActors,
  afterMs = 0,
): Promise<number> => {
  const { seed, timeline, queues, startMs } = world;
  const endMs = startMs + longestMs[reviewers ? 'reviews' : checkout ? 'money' : 'messages'] + afterMs;
  const isMoneyDue = () => checkout?.isScheduling() === true || reviewers?.isScheduling() === true;
  let events = 0;
  while (timeline.nowMs() < endMs && (!timeline.isEmpty() || messaging.isScheduling() || isMoneyDue())) {
    const isBusy = timeline.nowMs() < startMs + busyMs;
    const due = dueQueuesIn(world);
    if (due.has('scheduled') || (isBusy && messaging.isScheduling())) queues.add('scheduled', '{"kind":"sweep"}', 0);
    if (due.has('payments') || (isBusy && isMoneyDue())) {
      const lateMs = randomIn(seed, `sweep at ${timeline.nowMs()}`).below(sweepLateMs);
      timeline.after(lateMs, () => queues.add('payments', '{"kind":"sweep"}', 0));
    }
    events += await timeline.runUntil(timeline.nowMs() + sweepMs);
  }
  return events;
};

/** Lets a world come to its end, with the rounds that it needs. */
const live = async (world: World, actors: Actors): Promise<number> => {
  const { losesJobs } = world.queues;
  if (losesJobs) planRounds(world);
  const events = await untilQuiet(world, actors, losesJobs ? rounds * roundMs : 0);
  if (losesJobs || !hasCutOffResend(actors)) return events;
  planRounds(world);
  return events + (await untilQuiet(world, actors, rounds * roundMs));
};

const brokenOf = (all: readonly Invariant[], judged: Judged): Result['broken'] =>
  all.flatMap(({ name, violations }) => violations(judged).map((what) => ({ invariant: name, what })));

/** The product as it is, bundled once for all files of a process. */
const bundled = once(() => bundleFunctions(folders, smallSizes));

/** Bundles the product, with its mistakes if it is to have some. Returns what runs seeds on it, and notes their calls if it is given what counts them. */
export const openSimulation = async (mutations: readonly Mutation[] = [], coverage?: Coverage) => {
  const load = await (mutations.length > 0 ? bundleFunctions(folders, [...smallSizes, ...mutations]) : bundled());
  const current: Partial<Current> = {};
  const code: Code = load(surroundingsOf(current as Current));

  return {
    /** Lets a world run until it is quiet, and judges it. */
    run: async (
      seed: number,
      { without = new Set(), aims = [], isSparse = false, trace = () => undefined }: Wishes = {},
    ): Promise<Result> => {
      const world = openWorld({ seed, without, aims, isSparse, code, current: current as Current, coverage, trace });
      const actors = await openActors(world, code);
      const events = await live(world, actors);
      for (const reader of [actors.founders, actors.subscribers, actors.shopkeepers, actors.watchers])
        if (reader) await world.until(reader.readAll());
      const facts = await factsOf(world, code, actors);
      const people = actors.staff && (await peopleFactsOf(world, code, actors.staff, actors.messaging));
      const judged = { world, ...actors, facts, people, days: undefined };
      const broken = brokenOf(invariants, judged);
      const { operations, machine } = world;
      if (broken.length > 0 || !hasDays(seed)) return { seed, broken, operations, faults: machine.faultsMet, events };
      const { events: later, ...lived } = await liveForDays(world, code, actors);
      const checkout = lived.days.lateMoney?.checkout;
      const brokenLater = brokenOf(invariantsOfDays, { ...judged, ...lived, checkout });
      return { seed, broken: brokenLater, operations, faults: machine.faultsMet, events: events + later };
    },
  };
};
