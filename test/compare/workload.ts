import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenLocally } from '../../infra/local/listen-locally.ts';
import { usageOf } from './processes.ts';

/** A service that delivers webhooks, with one subscription to all that it is given. */
export interface Side {
  readonly name: string;
  /** Its processes; all that they start belong to it. */
  readonly pids: readonly number[];
  /** Names of its parts, by their command lines. */
  readonly parts: Readonly<Record<string, RegExp>>;
  /** Gives it these events, which have the numbers `from`, `from + 1`, …. Resolves when it has accepted them. */
  publish(from: number, count: number): Promise<void>;
  /** Which event a delivery is of. */
  numberOf(body: string): number;
  close(): Promise<void>;
}

export type StartSide = (endpoint: string, events: number) => Promise<Side>;

/** What a side did of the same work. */
export interface Compared {
  readonly perSecond: number;
  /** Milliseconds of the processor for each event, in all and by part. */
  readonly processorMs: number;
  readonly ofParts: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMegabytes: number;
  /** Deliveries beside the first of each event. */
  readonly repeated: number;
}

export interface Work {
  /** Before anything is measured: connections are opened, and code is compiled. */
  readonly warmUp: number;
  readonly burst: number;
  /** Then this many a second, for as many seconds. */
  readonly perSecond: number;
  readonly seconds: number;
}

const eventsOf = ({ warmUp, burst, perSecond, seconds }: Work): number => warmUp + burst + perSecond * seconds;

const longestMs = 120_000;
const lookMs = 20;

/** An endpoint that answers at once, and the moment at which each event first came. */
const startEndpoint = async (numberOf: (body: string) => number) => {
  const arrivals = new Map<number, number>();
  let received = 0;
  const server = createServer(async (request, response) => {
    const number = numberOf(await text(request));
    received += 1;
    if (!arrivals.has(number)) arrivals.set(number, performance.now());
    response.writeHead(200).end('ok');
  });
  const { url, close } = await listenLocally(server);
  return {
    url: `${url}/hooks`,
    arrivals,
    received: () => received,
    /** Until this many events have come. */
    untilHas: async (count: number): Promise<void> => {
      const untilMs = performance.now() + longestMs;
      while (arrivals.size < count) {
        if (performance.now() > untilMs) throw new Error(`only ${arrivals.size} of ${count} events came`);
        await sleep(lookMs);
      }
    },
    close,
  };
};

const quantile = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

/** Has a side do the work. */
export const compare = async (start: StartSide, work: Work): Promise<Compared & { readonly name: string }> => {
  let numberOf: Side['numberOf'] = () => -1;
  const endpoint = await startEndpoint((body) => numberOf(body));
  const side = await start(endpoint.url, eventsOf(work));
  numberOf = side.numberOf;
  const usage = () => usageOf(side.pids, side.parts);
  try {
    await side.publish(0, work.warmUp);
    await endpoint.untilHas(work.warmUp);

    const before = usage();
    const beganMs = performance.now();
    await Promise.all([side.publish(work.warmUp, work.burst), endpoint.untilHas(work.warmUp + work.burst)]);
    const tookMs = performance.now() - beganMs;
    // What is written down after the answers is a part of the work.
    await sleep(1_000);
    const after = usage();

    const first = work.warmUp + work.burst;
    const steadyMs = performance.now();
    const published = Array.from({ length: work.perSecond * work.seconds }, async (_, n) => {
      const dueMs = steadyMs + (n * 1_000) / work.perSecond;
      await sleep(Math.max(0, dueMs - performance.now()));
      await side.publish(first + n, 1);
      return dueMs;
    });
    const dueMs = await Promise.all(published);
    await endpoint.untilHas(eventsOf(work));
    const lags = dueMs.map((due, n) => (endpoint.arrivals.get(first + n) ?? 0) - due).sort((a, b) => a - b);

    const ofParts = Object.fromEntries(
      [...after].map(([part, { processorMs }]) => [
        part,
        Math.round(((processorMs - (before.get(part)?.processorMs ?? 0)) / work.burst) * 100) / 100,
      ]),
    );
    return {
      name: side.name,
      perSecond: Math.round((work.burst * 1_000) / tookMs),
      processorMs: Math.round(Object.values(ofParts).reduce((sum, ms) => sum + ms, 0) * 100) / 100,
      ofParts,
      p50Ms: quantile(lags, 0.5),
      p99Ms: quantile(lags, 0.99),
      residentMegabytes: Math.round([...usage().values()].reduce((sum, one) => sum + one.residentMegabytes, 0)),
      repeated: endpoint.received() - endpoint.arrivals.size,
    };
  } finally {
    await side.close();
    await endpoint.close();
  }
};
