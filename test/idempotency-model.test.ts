import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { contract, type Input } from '../shared/http/contract.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { Fault } from '../shared/kit/fault.ts';
import { type Answered, call } from './call.ts';
import { modelFaults, modelRuns } from './model-runs.ts';
import { startWorld, type World } from './world.ts';

// Compares idempotency keys with a model of the six rules (messaging specification, "Idempotency"), under any sequence of requests, failures,
// crashes and waits.

const outcomes = ['done', 'refused', 'broken', 'dies'] as const;

type Action =
  | {
      readonly kind: 'request';
      readonly key: string;
      readonly route: string;
      readonly outcome: (typeof outcomes)[number];
    }
  | { readonly kind: 'wait'; readonly ms: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('request' as const),
      key: fc.constantFrom('a', 'b'),
      route: fc.constantFrom('POST /x', 'POST /y'),
      outcome: fc.constantFrom(...outcomes),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 25_999, 26_001, 12 * 3_600_000, 24 * 3_600_000),
    }),
  },
);

interface Held {
  readonly route: string;
  readonly openedMs: number;
  readonly id: string;
  /** The answer, if there is one; otherwise the claim ends at `claimEndsMs`. */
  readonly text?: string;
  readonly claimEndsMs: number;
}

const windowMs = 24 * 3_600_000;
/** The timeout of `call`, plus a second. */
const claimMs = 26_000;
/** For a request that failed by a bug. It may have written something, so its id is kept. */
const ended = 0;

const makeContract = contract({
  summary: 's',
  status: 201,
  body: z.object({ outcome: z.enum(outcomes) }),
  reply: z.object({ id: z.string(), n: z.number() }),
  isReplayable: true,
});

let world: World;
beforeAll(async () => {
  world = await startWorld({ faults: modelFaults });
});
afterAll(() => world.close());

/** Runs a sequence and compares every answer with the model's. */
const play = async (actions: readonly Action[]): Promise<void> => {
  const { key: apiKey } = await world.newAccount();
  let nowMs = Date.parse('2026-11-20T12:00:00Z');
  const effects: string[] = [];
  const handler = endpoint(
    makeContract,
    async ({ newId, body }: Input<typeof makeContract>) => {
      effects.push(newId);
      if (body.outcome === 'refused') throw new Fault('conflict', 'No.');
      if (body.outcome === 'broken') throw new Error('a bug');
      if (body.outcome === 'dies') await new Promise(() => undefined);
      return { id: newId, n: effects.length };
    },
    world.callers('messages:send'),
    () => nowMs,
  );
  const model = new Map<string, Held>();

  const carryOut = async (
    one: Extract<Action, { kind: 'request' }>,
    before: Held | undefined,
    answer: Promise<Answered>,
  ) => {
    const count = effects.length + 1;
    if (one.outcome === 'dies') await expect.poll(() => effects.length, { interval: 1 }).toBe(count);
    const answered = one.outcome === 'dies' ? undefined : await answer;
    expect(effects).toHaveLength(count);
    const id = effects.at(-1) ?? '';
    // A retry of a request without an answer gets the id of the first attempt; every other attempt gets a new id.
    if (before) expect(id).toBe(before.id);
    else expect(effects.indexOf(id)).toBe(count - 1);
    const held = { route: one.route, openedMs: nowMs, id, claimEndsMs: nowMs + claimMs };
    if (answered === undefined) return model.set(one.key, held);
    expect(answered.status).toBe({ done: 201, refused: 409, broken: 500 }[one.outcome as 'done']);
    expect(answered.headers['Idempotent-Replay']).toBeUndefined();
    if (one.outcome === 'done') return model.set(one.key, { ...held, text: answered.text });
    const hasWrittenNothing = one.outcome === 'refused' && !before;
    return hasWrittenNothing ? model.delete(one.key) : model.set(one.key, { ...held, claimEndsMs: ended });
  };

  for (const one of actions) {
    if (one.kind === 'wait') {
      nowMs += one.ms;
      continue;
    }
    const found = model.get(one.key);
    const held = found && nowMs - found.openedMs < windowMs ? found : undefined;
    const isDead =
      held !== undefined && held.text === undefined && held.route === one.route && held.claimEndsMs < nowMs;
    const count = effects.length;
    const answer = call(handler, {
      key: apiKey,
      routeKey: one.route,
      headers: { 'idempotency-key': one.key },
      body: { outcome: one.outcome },
    });
    if (!held || isDead) {
      await carryOut(one, held, answer);
    } else {
      expectHeld(held, one.route, await answer);
      expect(effects).toHaveLength(count);
    }
  }
};

const expectHeld = (held: Held, route: string, { status, text, body, headers }: Answered): void => {
  if (held.route === route && held.text !== undefined) {
    expect([status, text, headers['Idempotent-Replay']]).toEqual([201, held.text, 'true']);
  } else {
    expect([status, body.error.code]).toEqual([409, 'idempotency_conflict']);
  }
};

it('idempotency keys follow all six rules under any sequence', { timeout: 3_600_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 14 }), play), {
    numRuns: modelRuns(8),
    endOnFailure: true,
  });
});
