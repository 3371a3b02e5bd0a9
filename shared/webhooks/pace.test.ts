import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import {
  admit,
  admitAtHost,
  atHost,
  firstWindow,
  hostOf,
  isDead,
  type Lane,
  leasesAllowed,
  type Pace,
  shareOfHost,
  slowUntil,
  windowAfter,
} from './pace.ts';

const nowMs = 1_800_000_000_000;

/** A pace with a lease of each of these ages, in slots from 0. */
const pace = (agesMs: readonly number[], more: Partial<Pace> = {}): Pace => ({
  leases: new Map(agesMs.map((ageMs, slot) => [slot, newId(nowMs - ageMs)])),
  window: firstWindow,
  slowUntilMs: 0,
  lastMs: undefined,
  ...more,
});

const most = 80;
const windows = fc.integer({ min: firstWindow, max: most });

describe('the window of a target', () => {
  it('grows by each quick answer and halves with a slow lease, within its bounds', () => {
    const leases = fc.array(
      fc.record({ tookMs: fc.integer({ min: 0, max: 10_000 }), answers: fc.integer({ min: 1, max: 10 }) }),
    );
    fc.assert(
      fc.property(windows, leases, (first, all) => {
        let window = first;
        for (const { tookMs, answers } of all) {
          const after = windowAfter(window, tookMs, answers);
          if (tookMs <= 500) expect(after).toBe(Math.min(most, window + answers));
          else if (tookMs <= 1_000) expect(after).toBe(window);
          else expect(after).toBe(Math.max(firstWindow, Math.floor(window / 2)));
          window = after;
        }
      }),
      { numRuns: 50 },
    );
  });

  it('bounds the calls of all leases together, and is at its largest after eighty quick answers', () => {
    for (let window = firstWindow; window <= most; window += 1) {
      const admission = admit(pace([], { window }), 'fast', nowMs);
      const { callsAtOnce } = admission.kind === 'free' ? admission : expect.fail();
      expect(callsAtOnce).toBeGreaterThanOrEqual(1);
      expect(callsAtOnce * leasesAllowed(window)).toBeLessThanOrEqual(window);
    }
    let window = firstWindow;
    for (let n = 0; n < 80; n += 1) window = windowAfter(window, 20, 1);
    expect([window, leasesAllowed(window)]).toEqual([most, 8]);
  });
});

describe('the pace of a target', () => {
  it('gives a lease a free slot, and none when all are taken', () => {
    expect(admit(pace([]), 'fast', nowMs)).toMatchObject({ kind: 'free', callsAtOnce: 1 });
    expect(admit(pace([10, 10, 10]), 'fast', nowMs)).toMatchObject({ kind: 'free', slot: 3 });
    expect(admit(pace([10, 10, 10, 10]), 'fast', nowMs)).toEqual({ kind: 'busy' });
    expect(admit(pace([10, 10, 10, 10], { window: 50 }), 'fast', nowMs)).toMatchObject({ kind: 'free', slot: 4 });
  });

  it('gives out only slots that are free, regardless of what is there, and never more than the window has', () => {
    const ages = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 10 });
    const lanes = fc.constantFrom<Lane>('fast', 'slow');
    fc.assert(
      fc.property(
        ages,
        windows,
        lanes,
        fc.integer({ min: -1, max: 1 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (agesMs, window, lane, slow, random) => {
          const at = pace(agesMs, { window, slowUntilMs: nowMs + slow });
          const admission = admit(at, lane, nowMs, { random });
          if (admission.kind !== 'free') return;
          const lease = at.leases.get(admission.slot);
          expect(lease === undefined || isDead(lease, nowMs)).toBe(true);
          expect(admission.slot).toBeLessThan(slow >= 0 ? 2 : leasesAllowed(window));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('frees the slot of a lease whose run must be over, so that none is lost for good', () => {
    const ages = fc.array(fc.integer({ min: 30_001, max: 10 ** 9 }), { minLength: 1, maxLength: 10 });
    const lanes = fc.constantFrom<Lane>('fast', 'slow');
    fc.assert(
      fc.property(ages, windows, lanes, (agesMs, window, lane) => {
        expect(admit(pace(agesMs, { window }), lane, nowMs).kind).toBe('free');
        expect(admitAtHost(pace(agesMs), lane, nowMs).kind).toBe('free');
      }),
      { numRuns: 50 },
    );
    expect(admit(pace([30_000, 30_000, 30_000, 30_000]), 'fast', nowMs).kind).toBe('busy');
  });

  it('starves no lease: one that comes again until it has a slot gets it once the others have ended', () => {
    const holds = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(holds, (heldMs) => {
        let timeMs = nowMs;
        const held = new Map<number, { lease: string; endMs: number }>();
        const waiting = [...heldMs];
        for (let lane: Lane = 'fast'; waiting.length > 0; timeMs += 100) {
          const running = [...held].filter(([, { endMs }]) => endMs > timeMs);
          const leases = new Map(running.map(([slot, { lease }]) => [slot, lease]));
          const admission = admit(pace([], { leases }), lane, timeMs);
          if (admission.kind === 'slow') lane = 'slow';
          if (admission.kind === 'free')
            held.set(admission.slot, { lease: newId(timeMs), endMs: timeMs + (waiting.pop() ?? 0) });
        }
        expect(timeMs - nowMs).toBeLessThanOrEqual(heldMs.reduce((sum, ms) => sum + ms + 100, 0));
      }),
      { numRuns: 30 },
    );
  });

  it('keeps a slow target in the slow lane for a minute after its last slow answer, two leases at a time', () => {
    const slowUntilMs = slowUntil(1_001, nowMs);
    expect([slowUntil(1_000, nowMs), slowUntilMs]).toEqual([0, nowMs + 60_000]);
    expect(admit(pace([], { slowUntilMs }), 'fast', nowMs + 60_000)).toEqual({ kind: 'slow', everyMs: 0 });
    expect(admit(pace([10, 10], { slowUntilMs, lastMs: 900 }), 'fast', nowMs)).toEqual({ kind: 'slow', everyMs: 450 });
    expect(admit(pace([], { slowUntilMs }), 'fast', nowMs + 60_001).kind).toBe('free');
    expect(admit(pace([10], { slowUntilMs, window: most }), 'slow', nowMs)).toMatchObject({ kind: 'free', slot: 1 });
    expect(admit(pace([9_000, 10], { slowUntilMs, window: most, lastMs: 3_001 }), 'slow', nowMs)).toEqual({
      kind: 'slow',
      everyMs: 1_501,
    });
  });

  it.each([20, 100])('lets a new target that answers within %i ms have 300 deliveries a second', (answerMs) => {
    const tableMs = 25;
    let [window, waiting, longest] = [firstWindow, 0, 0];
    let running: { slot: number; lease: string; endMs: number; jobs: number }[] = [];
    for (let timeMs = nowMs; timeMs < nowMs + 10_000; timeMs += 10) {
      waiting += 3;
      for (const { jobs } of running.filter(({ endMs }) => endMs <= timeMs))
        window = windowAfter(window, answerMs, jobs);
      running = running.filter(({ endMs }) => endMs > timeMs);
      const leases = new Map(running.map(({ slot, lease }) => [slot, lease]));
      const admission = admit(pace([], { leases, window }), 'fast', timeMs, { random: 0 });
      if (admission.kind === 'free') {
        const jobs = Math.min(10, waiting);
        const endMs = timeMs + tableMs + Math.ceil(jobs / admission.callsAtOnce) * answerMs;
        running.push({ slot: admission.slot, lease: newId(timeMs), endMs, jobs });
        waiting -= jobs;
      }
      if (timeMs > nowMs + 5_000) longest = Math.max(longest, waiting);
    }
    expect(longest).toBeLessThan(30);
  });

  it('picks any of the free slots, so that not all leases try the same one', () => {
    const slots = [0, 0.25, 0.5, 0.999].map((random) => admit(pace([], { window: 40 }), 'fast', nowMs, { random }));
    expect(slots.map((admission) => admission.kind === 'free' && admission.slot)).toEqual([0, 1, 2, 3]);
  });
});

describe('the pace of a host of several subscriptions', () => {
  it('lets 32 calls in at once, and 8 of slow targets', () => {
    expect(atHost.leases.fast * atHost.callsAtOnce).toBe(32);
    const taken = (count: number) => pace(Array.from({ length: count }, () => 10));
    expect(admitAtHost(taken(15), 'fast', nowMs)).toEqual({ kind: 'free', slot: 15, callsAtOnce: 2 });
    expect(admitAtHost(taken(16), 'fast', nowMs)).toEqual({ kind: 'busy' });
    expect(admitAtHost(taken(3), 'slow', nowMs)).toMatchObject({ kind: 'free', slot: 3 });
    expect(admitAtHost(taken(4), 'slow', nowMs)).toEqual({ kind: 'slow', everyMs: 2_500 });
  });

  it('is shared equally by up to four, whose leases together make 32 calls at once', () => {
    for (const subscriptions of [2, 3, 4]) {
      const share = shareOfHost(subscriptions, 'fast');
      const leases = new Map<number, string>();
      const next = () => admit(pace([], { window: most, leases }), 'fast', nowMs, { share });
      let calls = 0;
      for (let admission = next(); admission.kind === 'free'; admission = next()) {
        leases.set(admission.slot, newId(nowMs));
        calls += admission.callsAtOnce;
      }
      expect(subscriptions * calls).toBeLessThanOrEqual(32);
      expect(calls).toBeGreaterThanOrEqual(8);
    }
    expect([shareOfHost(5, 'fast'), shareOfHost(2, 'slow')]).toEqual([undefined, undefined]);
  });

  it('is one however it is written', () => {
    const urls = [
      'https://Example.com/a',
      'https://example.com:8443',
      'http://example.com./x?y',
      'https://u:p@EXAMPLE.com',
    ];
    expect(new Set(urls.map(hostOf))).toEqual(new Set(['example.com']));
    expect(hostOf('https://[2001:DB8::1]/')).toBe('[2001:db8::1]');
  });
});
