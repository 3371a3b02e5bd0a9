import { setImmediate } from 'node:timers/promises';
import type { StreamSource } from '../../infra/workers.ts';
import { workers } from '../../infra/workers.ts';
import type { Aim } from './aims.ts';
import { openBucket } from './bucket.ts';
import type { Code } from './bundle-functions.ts';
import type { Coverage } from './coverage.ts';
import type { FaultName } from './faults.ts';
import { openLambda } from './lambda.ts';
import { type Outage, openMachine } from './machine.ts';
import { openQueues } from './queues.ts';
import { type Random, randomIn } from './random.ts';
import { type Outside, openServices } from './services.ts';
import { stormsIn } from './storms.ts';
import { openStreamReader } from './stream.ts';
import type { Current } from './surroundings.ts';
import { openMemoryTable, type TableChange } from './table/memory-table.ts';

/** How a world is: everything that happens in it follows from this. */
export interface Circumstances {
  readonly seed: number;
  /** Faults and operations that are left out, by their ids. */
  readonly without: ReadonlySet<string>;
  readonly aims?: readonly Aim[];
  /** Half of what is planned takes place. */
  readonly isSparse?: boolean;
}

interface Needs extends Circumstances {
  readonly code: Code;
  readonly current: Current;
  readonly coverage?: Coverage | undefined;
  readonly trace: (line: string) => void;
  /** The probability that a call takes long; small by default. */
  readonly slowChance?: number;
}

/** A Monday morning in Europe. */
const startMs = Date.parse('2026-03-02T08:00:00Z');
/** Faults happen until then. What is under way then must come to its end. */
const calmAfterMs = 600_000;
/** What happens later only, to functions that are not needed before. */
const lateCalmsMs: Readonly<Record<string, number>> = {
  'admin/review-refund': 7_200_000,
  'webhooks/resend-failed': 7_200_000,
};
const faultRates = [0, 0.04, 0.08, 0.16] as const;
/** An index is behind the table by less. */
const indexLagsMs = [0, 20, 2_000] as const;

const outageKinds: readonly [Pick<Outage, 'service' | 'fault'>, ...Pick<Outage, 'service' | 'fault'>[]] = [
  { service: 'table', fault: 'throttled' },
  { service: 'queue', fault: 'failed' },
  { service: 'email', fault: 'unreached' },
  { service: 'email', fault: 'throttled' },
  { service: 'http', fault: 'unreached' },
  { service: 'keys', fault: 'failed' },
];

/** Some worlds have one of the bucket too. */
const fileOutagesIn = (random: Random): readonly Outage[] => {
  const fromMs = startMs + random.below(120_000);
  const toMs = fromMs + 1_000 + random.below(40_000);
  return random.isChance(0.1)
    ? [{ service: 'files', fault: random.pick(['throttled', 'failed', 'unreached']), fromMs, toMs }]
    : [];
};

/** Of so many worlds one has a worker of texts whose every run fails for longer than its jobs are tried. */
const worldsPerFailing = 11;
const failingUntilMs = startMs + 40 * 60_000;

const failingTextsIn = (seed: number, random: Random): readonly Outage[] => {
  if (seed % worldsPerFailing !== 5) return [];
  const fromMs = startMs + random.below(60_000);
  const fault = random.pick<FaultName>(['killedBefore', 'killedAfter', 'failed']);
  return [{ does: 'messages/send-text', service: 'table', fault, fromMs, toMs: failingUntilMs }];
};

/** In half of the worlds AWS takes texts for a while, and its answers are lost: where texts go by AWS, the product does not know of them. */
const lostAnswersIn = (random: Random): readonly Outage[] => {
  const fromMs = startMs + random.below(120_000);
  const toMs = fromMs + 20_000 + random.below(100_000);
  return random.isChance(0.5) ? [{ service: 'sms', fault: 'lost', fromMs, toMs }] : [];
};

const streams = workers.flatMap(({ does, on }) =>
  [on]
    .flat()
    .flatMap((source): readonly (readonly [string, StreamSource])[] => ('stream' in source ? [[does, source]] : [])),
);

/** Some worlds have one, long enough that the product gives up waiting. */
const outagesIn = (random: Random): readonly Outage[] =>
  Array.from({ length: Math.max(0, random.below(4) - 1) }, () => {
    const fromMs = startMs + random.below(120_000);
    return { ...random.pick(outageKinds), fromMs, toMs: fromMs + 1_000 + random.below(40_000) };
  });

/** A write of one item, when it was made, and by a run of which function. */
export interface WorldChange extends TableChange {
  readonly atMs: number;
  readonly by: string | undefined;
}

/** The product in a world of its own: its functions, its table, its queues, and the time that passes for them. */
export const openWorld = ({
  seed,
  without,
  aims = [],
  isSparse = false,
  code,
  current,
  coverage,
  trace,
  slowChance = 0.01,
}: Needs) => {
  const random = randomIn(seed, 'world');
  const allOutages = [
    ...outagesIn(random),
    ...fileOutagesIn(randomIn(seed, 'file outages')),
    ...failingTextsIn(seed, randomIn(seed, 'failing texts')),
    ...lostAnswersIn(randomIn(seed, 'lost answers')),
  ];
  const isStormy = stormsIn(seed, startMs);
  const outages = allOutages.filter((_, n) => !without.has(`outage ${n}`));
  const machine = openMachine({
    seed,
    aims,
    without,
    outages,
    slowChance,
    faultRate: random.pick(faultRates),
    isCalm: (does, nowMs) => nowMs >= startMs + (lateCalmsMs[does] ?? calmAfterMs) && !isStormy(nowMs),
    startMs,
    coverage,
    trace,
  });
  const { timeline } = machine;
  const lagMs = random.pick(indexLagsMs);
  const changes: WorldChange[] = [];
  const operations: string[] = outages.map((_, n) => `outage ${n}`);
  /** What follows from an operation has a name that begins with its name, and takes place wherever that does. */
  const isLeftOut = (operation: string): boolean =>
    isSparse &&
    !operations.some((one) => operation.startsWith(`${one} `)) &&
    randomIn(seed, `sparse ${operation}`).isChance(0.5);
  const trespasses: string[] = [];
  const alarms: string[] = [];
  const watchers: ((line: string) => void)[] = [];
  const outside: { current: Outside | undefined } = { current: undefined };
  const bucket = openBucket(timeline.nowMs);
  const table = openMemoryTable({
    nowMs: timeline.nowMs,
    onIndexed: (apply) => (lagMs === 0 ? apply() : timeline.after(random.below(lagMs), apply)),
    onChange: (change) => {
      changes.push({ ...change, atMs: timeline.nowMs(), by: machine.acting()?.does });
      noteTrespass(change);
      for (const reader of readers) reader.take(change);
    },
  });
  /** A run that changes an item of another account than its own. */
  const noteTrespass = ({ before, after }: TableChange): void => {
    const run = machine.acting();
    if (!run?.accounts) return;
    const { PK = '', account } = after ?? before ?? {};
    const place = String(PK);
    const owner = /^A#([0-9a-f-]{36})/.exec(place)?.[1] ?? account;
    if (owner !== undefined && !run.accounts.includes(String(owner))) trespasses.push(`${run.id} changed ${place}`);
  };
  /** A run that asks for a file of another account than its own. */
  const noteFile = (key: string): void => {
    const run = machine.acting();
    if (run?.accounts && !run.accounts.includes(key.split('/')[1] ?? '')) trespasses.push(`${run.id} took ${key}`);
  };
  const lambda = openLambda(machine, code);
  const readers = streams
    .filter(([does]) => does in code.functions)
    .map(([does, source]) => openStreamReader(machine, lambda, seed, does, source));
  const queues = openQueues(machine, lambda, seed);
  current.machine = machine;
  current.note = (line) => {
    if (!line.includes('"needsPerson":true')) return;
    alarms.push(line);
    for (const watch of watchers) watch(line);
  };
  current.services = openServices({
    machine,
    table,
    queues,
    bucket,
    onFile: noteFile,
    outside: {
      mail: (input, chance) => outsideOf().mail(input, chance),
      sms: (input, chance) => outsideOf().sms?.(input, chance) ?? {},
      http: (request, chance) => outsideOf().http(request, chance),
    },
  });
  const outsideOf = (): Outside => {
    if (!outside.current) throw new Error('nothing is outside yet');
    return outside.current;
  };

  /** Lets time pass until something is done. */
  const until = async <Result>(promise: Promise<Result>): Promise<Result> => {
    let isDone = false;
    const noteDone = () => {
      isDone = true;
    };
    promise.then(noteDone, noteDone);
    while (!isDone) await timeline.runUntil(timeline.nowMs() + 100);
    // The process comes to other work meanwhile: the timeline leaves it none.
    await setImmediate();
    return promise;
  };

  return {
    until,
    seed,
    random,
    startMs,
    machine,
    timeline,
    table,
    bucket,
    lambda,
    queues,
    changes,
    trespasses,
    /** Lines of the log that alarm a person. */
    alarms,
    /** Has a person hear of each alarm. */
    onAlarm: (watch: (line: string) => void): void => {
      watchers.push(watch);
    },
    readers,

    operations,

    /** Does something at some time, unless it is left out. */
    plan: (operation: string, atMs: number, act: () => void): void => {
      if (without.has(operation) || isLeftOut(operation)) return;
      operations.push(operation);
      timeline.at(atMs, act);
    },

    /** Where mails, texts and HTTP requests go to. */
    connect: (to: Outside): void => {
      outside.current = to;
    },

    /** Does something with the product's own code that no fault happens to. */
    spared: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      machine.start(
        'spared',
        new Map(),
        async () => resolve(await work()),
        (outcome) => outcome !== 'killed' && 'thrown' in outcome && reject(outcome.thrown),
        { isSpared: true },
      );
      return until(promise);
    },
  };
};

export type World = ReturnType<typeof openWorld>;
