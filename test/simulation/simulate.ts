import { workers } from '../../infra/workers.ts';
import { bundleFunctions, type Code, type Mutation } from './bundle-functions.ts';
import { openCheckout } from './checkout.ts';
import { openCoverage } from './coverage.ts';
import { factsOf } from './facts.ts';
import { invariants } from './invariants.ts';
import { openMessaging } from './messaging.ts';
import { type Current, surroundingsOf } from './surroundings.ts';
import { openWorld } from './world.ts';

const folders = [
  'messages/send-message',
  'messages/cancel-message',
  'messages/reschedule-message',
  'callbacks/receive-sms-report',
  'checkout/create-session',
  'checkout/begin-payment',
  'checkout/show-payment',
  'checkout/cancel-payment',
  'checkout/return-from-gateway',
  'merchants/expire-session',
  'merchants/refund-payment',
  'callbacks/receive-payment-notification',
  ...workers.map(({ does }) => does).filter((does) => !/chores|sms-event|traffic/.test(does)),
];

/** Virtual time until everything must have come to its end. A refund that was interrupted is asked about after an hour, and after six. */
const longestMs = { messages: 3 * 3_600_000, money: 7 * 3_600_000 } as const;
const sweepMs = 60_000;
/** Each so many worlds take payments too. */
const worldsPerCheckout = 4;

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
  readonly trace?: (line: string) => void;
}

/** Bundles the product, with its mistakes if it is to have some. Returns what runs seeds on it. */
export const openSimulation = async (mutations: readonly Mutation[] = []) => {
  const load = await bundleFunctions([...new Set(folders)], mutations);
  const current: Partial<Current> = {};
  const code: Code = load(surroundingsOf(current as Current));
  const coverage = openCoverage();

  return {
    coverage,

    /** Lets a world run until it is quiet, and judges it. */
    run: async (seed: number, { without = new Set(), trace = () => undefined }: Wishes = {}): Promise<Result> => {
      const world = openWorld({ seed, without, code, current: current as Current, coverage, trace });
      const messaging = await openMessaging(world, code);
      const checkout = seed % worldsPerCheckout === 0 ? await openCheckout(world, code, messaging.accounts) : undefined;
      world.connect({
        mail: messaging.outside.mail,
        http: (call, chance) => checkout?.gateways.answer(call) ?? messaging.outside.http(call, chance),
      });
      const { timeline, queues, startMs } = world;
      const endMs = startMs + (checkout ? longestMs.money : longestMs.messages);
      const isScheduling = () => messaging.isScheduling() || checkout?.isScheduling() === true;
      let events = 0;
      // Schedules send their jobs while anything is under way.
      while (timeline.nowMs() < endMs && (!timeline.isEmpty() || isScheduling())) {
        if (messaging.isScheduling()) queues.add('scheduled', '{"kind":"sweep"}', 0);
        for (const job of checkout?.sweeps() ?? []) queues.add('payments', job, 0);
        events += await timeline.runUntil(timeline.nowMs() + sweepMs);
      }
      const judged = { world, messaging, checkout, facts: await factsOf(world, code, messaging, checkout) };
      const broken = invariants.flatMap(({ name, violations }) =>
        violations(judged).map((what) => ({ invariant: name, what })),
      );
      return { seed, broken, operations: world.operations, faults: world.machine.faultsMet, events };
    },
  };
};
