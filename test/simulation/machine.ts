import { AsyncLocalStorage } from 'node:async_hooks';
import type { Aim, Trouble } from './aims.ts';
import { type Coverage, placeOf } from './coverage.ts';
import { drawnFault, type FaultName, isAfter, isKill, momentOf, type ServiceName } from './faults.ts';
import { type Random, randomIn } from './random.ts';
import { openTimeline } from './timeline.ts';

/** One run of a function. */
export interface Run {
  /** The function's folder, and the number of its run. */
  readonly id: string;
  readonly does: string;
  readonly random: Random;
  /** What its instance has made once: clients, stores, and what they keep in memory. */
  readonly made: Map<unknown, unknown>;
  /** Whether calls of it can go wrong. */
  readonly isSpared: boolean;
  /** The only accounts that it may change, if they are known. */
  readonly accounts: readonly string[] | undefined;
  calls: number;
  /** Until when it does not reach a service, or a place. */
  readonly cutOff: Map<string, number>;
  isOver: boolean;
  /** Ends it at once: none of its code goes on. */
  kill(): void;
}

interface At extends Pick<Call<unknown>, 'service' | 'label'> {
  /** Undefined where neither an aim nor a count needs it. */
  readonly place: string | undefined;
}

export interface Call<Answer> {
  readonly service: ServiceName;
  /** What is called, without ids: the same for every call of one place in the code. */
  readonly label: string;
  readonly perform: (random: Random) => Answer;
  /** What the caller gets when the call goes wrong: throws it, or returns it. */
  readonly fail: (fault: FaultName, random: Random) => Answer;
  /** After how long its caller gives it up. */
  readonly withinMs?: number;
}

/** A time in which every call of a service fails in the same way. */
export interface Outage {
  /** The only function that meets it. Undefined: all do. */
  readonly does?: string;
  readonly service: ServiceName;
  readonly fault: FaultName;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface MachineOptions {
  readonly seed: number;
  readonly aims: readonly Aim[];
  /** The probability of a fault at each call. */
  readonly faultRate: number;
  readonly outages: readonly Outage[];
  /** The probability that a call takes long. */
  readonly slowChance: number;
  /** Faults that are left out, by their ids. */
  readonly without: ReadonlySet<string>;
  /** Whether no fault happens at this time, to this function. */
  readonly isCalm: (does: string, nowMs: number) => boolean;
  readonly startMs: number;
  /** Notes each call, where somebody asks for it. */
  readonly coverage: Coverage | undefined;
  readonly trace: (line: string) => void;
}

/** No answer takes longer, of calls that answer. */
const longestAnswerMs = 60;
const slowMs = 3_000;
const timeoutMs = 4_000;
/** Longer than the product tries a call. */
const cutOffMs = 12_000;
const cutOffChance = 0.2;

/** One for all machines: a context keeps an entry for each that was ever used in it. */
const running = new AsyncLocalStorage<Run>();

/** Owns time, chance and every call that code makes of the world outside of it. */
export const openMachine = ({
  seed,
  aims,
  faultRate,
  outages,
  slowChance,
  without,
  isCalm,
  startMs,
  coverage,
  trace,
}: MachineOptions) => {
  const timeline = openTimeline(startMs);
  const faultsMet: string[] = [];
  const runs = new Map<string, number>();
  const open = new Set<Run>();
  let acting: Run | undefined;
  const pending = new Set(aims);

  const run = (): Run => {
    const current = running.getStore();
    if (!current) throw new Error('code of the product runs outside of a function');
    return current;
  };

  const faultAt = ({ does }: Run, id: string, service: ServiceName, random: Random): FaultName | undefined => {
    const nowMs = timeline.nowMs();
    const outage = outages.find(
      (each) => each.service === service && (each.does ?? does) === does && each.fromMs <= nowMs && nowMs < each.toMs,
    );
    if (outage) {
      faultsMet.push(`${id} ${outage.fault} in an outage`);
      return outage.fault;
    }
    if (isCalm(does, nowMs) || !random.isChance(faultRate)) return undefined;
    const fault = drawnFault(service, random);
    const fullId = `${id} ${fault}`;
    if (without.has(fullId)) return undefined;
    faultsMet.push(fullId);
    trace(`fault ${fullId}`);
    return fault;
  };

  const aimedAt = (place: string | undefined, id: string): Trouble | undefined => {
    const aim = place === undefined ? undefined : [...pending].find((each) => each.place === place);
    if (!aim) return undefined;
    pending.delete(aim);
    faultsMet.push(`${id} ${aim.trouble}, aimed`);
    trace(`fault ${id} ${aim.trouble}, aimed`);
    return aim.trouble;
  };

  /** A run whose call has no answer may not get there again for longer than it tries: it never learns what it did. */
  const troubleOf = (current: Run, id: string, { service, label, place }: At, random: Random): Trouble | undefined => {
    const isCutOff = (from: string): boolean => timeline.nowMs() < (current.cutOff.get(from) ?? 0);
    if (isCutOff(service) || isCutOff(label)) return 'unreached';
    const aimed = aimedAt(place, id);
    if (aimed === 'slow') return aimed;
    const fault = aimed ?? faultAt(current, id, service, random);
    if (fault && isAfter(fault) && random.isChance(cutOffChance))
      current.cutOff.set(random.isChance(0.5) ? service : label, timeline.nowMs() + cutOffMs);
    return fault;
  };

  const durationOf = (trouble: Trouble | undefined, random: Random, withinMs: number): number => {
    if (trouble === 'timedOut') return withinMs;
    if (trouble === 'slow') return withinMs - 1;
    return 1 + random.below(random.isChance(slowChance) ? slowMs : longestAnswerMs);
  };

  return {
    timeline,
    faultsMet,
    run,
    /** The run whose call is carried out now. Undefined: nobody's, as when the table deletes what has expired. */
    acting: () => acting,

    /** A call of the world outside: carried out and answered in an event of its own, unless a fault happens to it. */
    call: <Answer>({
      service,
      label,
      perform,
      fail,
      withinMs = timeoutMs,
    }: Call<Answer>): Promise<Answer | undefined> => {
      const current = run();
      current.calls += 1;
      const id = `${current.id} ${current.calls} ${label}`;
      const random = randomIn(seed, id);
      const place = coverage || pending.size > 0 ? placeOf(current.does, label) : undefined;
      const trouble = current.isSpared ? undefined : troubleOf(current, id, { service, label, place }, random);
      const fault = trouble === 'slow' ? undefined : trouble;
      if (coverage && place && !current.isSpared)
        coverage.note({ seed, aims }, place, service, fault && momentOf(fault));
      const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
      const settle = (): void => {
        acting = current;
        try {
          const answer = carriedOut(
            () => perform(random),
            () => fail(fault ?? 'failed', random),
            fault,
          );
          if (fault && isKill(fault)) current.kill();
          else if (!current.isOver) resolve(answer);
        } catch (thrown) {
          if (!current.isOver) reject(thrown);
        } finally {
          acting = undefined;
        }
      };
      timeline.after(current.isSpared ? 0 : durationOf(trouble, random, withinMs), () => {
        // A run that has ended may have sent the call before, or not.
        if (current.isOver && random.isChance(0.5)) return;
        trace(`${current.id}: ${label} ${fault ?? ''}`);
        settle();
      });
      return promise;
    },

    sleep: (ms: number): Promise<void> => {
      const current = run();
      return new Promise((resolve) => timeline.after(ms, () => !current.isOver && resolve()));
    },

    /** Does something later, unless it is cleared or the run is over by then. */
    startTimer: (act: () => void, ms: number) => {
      const [current, timer] = [run(), { isCleared: false }];
      timeline.after(ms, () => !current.isOver && !timer.isCleared && running.run(current, act));
      return timer;
    },

    /** Runs code as one run of a function. Nothing more of it happens once it is killed. */
    start: (
      does: string,
      made: Map<unknown, unknown>,
      work: () => Promise<unknown>,
      end: (outcome: { readonly answer: unknown } | { readonly thrown: unknown } | 'killed') => void,
      {
        isSpared = false,
        accounts,
      }: { readonly isSpared?: boolean; readonly accounts?: readonly string[] | undefined } = {},
    ): Run => {
      const number = (runs.get(does) ?? 0) + 1;
      runs.set(does, number);
      const id = `${does}#${number}`;
      const finish = (outcome: Parameters<typeof end>[0]): void => {
        if (started.isOver) return;
        started.isOver = true;
        open.delete(started);
        trace(`${id} ${outcome === 'killed' ? 'killed' : 'thrown' in outcome ? `threw ${outcome.thrown}` : 'ended'}`);
        end(outcome);
      };
      const random = randomIn(seed, id);
      const started: Run = {
        id,
        does,
        random,
        made,
        isSpared,
        accounts,
        calls: 0,
        cutOff: new Map(),
        isOver: false,
        kill: () => finish('killed'),
      };
      open.add(started);
      trace(`${id} begins`);
      running.run(started, work).then(
        (answer) => finish({ answer }),
        (thrown: unknown) => finish({ thrown }),
      );
      return started;
    },

    /** Makes something for an instance, outside of any run of it. */
    making: <Made>(made: Map<unknown, unknown>, make: () => Made): Made => {
      const random = randomIn(seed, 'making');
      const maker = {
        id: 'making',
        does: 'making',
        random,
        made,
        isSpared: true,
        accounts: undefined,
        calls: 0,
        cutOff: new Map(),
        isOver: false,
        kill: () => {},
      };
      return running.run(maker, make);
    },

    /** Runs that wait for something that the timeline does not have. */
    hanging: (): readonly string[] => [...open].map(({ id }) => id),
  };
};

/** Carries a call out, or not, and answers as its fault does. */
const carriedOut = <Answer>(
  perform: () => Answer,
  failed: () => Answer,
  fault: FaultName | undefined,
): Answer | undefined => {
  if (!fault) return perform();
  if (isAfter(fault)) perform();
  return isKill(fault) ? undefined : failed();
};

export type Machine = ReturnType<typeof openMachine>;
