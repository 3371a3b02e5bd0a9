import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import {
  atHost,
  firstWindow,
  hostOf,
  isDead,
  judge,
  judgeAtHost,
  type Lane,
  linesIn,
  type Pace,
  shareOfHost,
  slowUntil,
  windowAfter,
} from './pace.ts';

const nowMs = 1_800_000_000_000;

/** A pace with a line of each of these ages, in places from 0. */
const pace = (agesMs: readonly number[], more: Partial<Pace> = {}): Pace => ({
  lines: new Map(agesMs.map((ageMs, place) => [place, newId(nowMs - ageMs)])),
  window: firstWindow,
  slowUntilMs: 0,
  lastMs: undefined,
  ...more,
});

const most = 80;
const windows = fc.integer({ min: firstWindow, max: most });

describe('the window of a target', () => {
  it('grows by each quick answer and halves with a slow line, within its bounds', () => {
    const lines = fc.array(
      fc.record({ tookMs: fc.integer({ min: 0, max: 10_000 }), answers: fc.integer({ min: 1, max: 10 }) }),
    );
    fc.assert(
      fc.property(windows, lines, (first, all) => {
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

  it('bounds the calls of all lines together, and is at its largest after eighty quick answers', () => {
    for (let window = firstWindow; window <= most; window += 1) {
      const verdict = judge(pace([], { window }), 'fast', nowMs);
      const { callsAtOnce } = verdict.kind === 'free' ? verdict : expect.fail();
      expect(callsAtOnce).toBeGreaterThanOrEqual(1);
      expect(callsAtOnce * linesIn(window)).toBeLessThanOrEqual(window);
    }
    let window = firstWindow;
    for (let n = 0; n < 80; n += 1) window = windowAfter(window, 20, 1);
    expect([window, linesIn(window)]).toEqual([most, 8]);
  });
});

describe('the pace of a target', () => {
  it('gives a line a free place, and none when all are taken', () => {
    expect(judge(pace([]), 'fast', nowMs)).toMatchObject({ kind: 'free', callsAtOnce: 1 });
    expect(judge(pace([10, 10, 10]), 'fast', nowMs)).toMatchObject({ kind: 'free', place: 3 });
    expect(judge(pace([10, 10, 10, 10]), 'fast', nowMs)).toEqual({ kind: 'busy' });
    expect(judge(pace([10, 10, 10, 10], { window: 50 }), 'fast', nowMs)).toMatchObject({ kind: 'free', place: 4 });
  });

  it('gives out only places that are free, regardless of what is there, and never more than the window has', () => {
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
          const verdict = judge(at, lane, nowMs, { random });
          if (verdict.kind !== 'free') return;
          const line = at.lines.get(verdict.place);
          expect(line === undefined || isDead(line, nowMs)).toBe(true);
          expect(verdict.place).toBeLessThan(slow >= 0 ? 2 : linesIn(window));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('frees the place of a line whose run must be over, so that none is lost for good', () => {
    const ages = fc.array(fc.integer({ min: 30_001, max: 10 ** 9 }), { minLength: 1, maxLength: 10 });
    const lanes = fc.constantFrom<Lane>('fast', 'slow');
    fc.assert(
      fc.property(ages, windows, lanes, (agesMs, window, lane) => {
        expect(judge(pace(agesMs, { window }), lane, nowMs).kind).toBe('free');
        expect(judgeAtHost(pace(agesMs), lane, nowMs).kind).toBe('free');
      }),
      { numRuns: 50 },
    );
    expect(judge(pace([30_000, 30_000, 30_000, 30_000]), 'fast', nowMs).kind).toBe('busy');
  });

  it('starves no line: one that comes again until it has a place gets it once the others have ended', () => {
    const holds = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(holds, (heldMs) => {
        let timeMs = nowMs;
        const held = new Map<number, { line: string; endMs: number }>();
        const waiting = [...heldMs];
        for (let lane: Lane = 'fast'; waiting.length > 0; timeMs += 100) {
          const running = [...held].filter(([, { endMs }]) => endMs > timeMs);
          const lines = new Map(running.map(([place, { line }]) => [place, line]));
          const verdict = judge(pace([], { lines }), lane, timeMs);
          if (verdict.kind === 'slow') lane = 'slow';
          if (verdict.kind === 'free')
            held.set(verdict.place, { line: newId(timeMs), endMs: timeMs + (waiting.pop() ?? 0) });
        }
        expect(timeMs - nowMs).toBeLessThanOrEqual(heldMs.reduce((sum, ms) => sum + ms + 100, 0));
      }),
      { numRuns: 30 },
    );
  });

  it('keeps a slow target in the slow lane for a minute after its last slow answer, two lines at a time', () => {
    const slowUntilMs = slowUntil(1_001, nowMs);
    expect([slowUntil(1_000, nowMs), slowUntilMs]).toEqual([0, nowMs + 60_000]);
    expect(judge(pace([], { slowUntilMs }), 'fast', nowMs + 60_000)).toEqual({ kind: 'slow', everyMs: 0 });
    expect(judge(pace([10, 10], { slowUntilMs, lastMs: 900 }), 'fast', nowMs)).toEqual({ kind: 'slow', everyMs: 450 });
    expect(judge(pace([], { slowUntilMs }), 'fast', nowMs + 60_001).kind).toBe('free');
    expect(judge(pace([10], { slowUntilMs, window: most }), 'slow', nowMs)).toMatchObject({ kind: 'free', place: 1 });
    expect(judge(pace([9_000, 10], { slowUntilMs, window: most, lastMs: 3_001 }), 'slow', nowMs)).toEqual({
      kind: 'slow',
      everyMs: 1_501,
    });
  });

  it.each([20, 100])('lets a new target that answers within %i ms have 300 deliveries a second', (answerMs) => {
    const tableMs = 25;
    let [window, waiting, longest] = [firstWindow, 0, 0];
    let running: { place: number; line: string; endMs: number; jobs: number }[] = [];
    for (let timeMs = nowMs; timeMs < nowMs + 10_000; timeMs += 10) {
      waiting += 3;
      for (const { jobs } of running.filter(({ endMs }) => endMs <= timeMs))
        window = windowAfter(window, answerMs, jobs);
      running = running.filter(({ endMs }) => endMs > timeMs);
      const lines = new Map(running.map(({ place, line }) => [place, line]));
      const verdict = judge(pace([], { lines, window }), 'fast', timeMs, { random: 0 });
      if (verdict.kind === 'free') {
        const jobs = Math.min(10, waiting);
        const endMs = timeMs + tableMs + Math.ceil(jobs / verdict.callsAtOnce) * answerMs;
        running.push({ place: verdict.place, line: newId(timeMs), endMs, jobs });
        waiting -= jobs;
      }
      if (timeMs > nowMs + 5_000) longest = Math.max(longest, waiting);
    }
    expect(longest).toBeLessThan(30);
  });

  it('picks any of the free places, so that not all lines try the same one', () => {
    const places = [0, 0.25, 0.5, 0.999].map((random) => judge(pace([], { window: 40 }), 'fast', nowMs, { random }));
    expect(places.map((verdict) => verdict.kind === 'free' && verdict.place)).toEqual([0, 1, 2, 3]);
  });
});

describe('the pace of a host of several subscriptions', () => {
  it('lets 32 calls in at once, and 8 of slow targets', () => {
    expect(atHost.lines.fast * atHost.callsAtOnce).toBe(32);
    const taken = (count: number) => pace(Array.from({ length: count }, () => 10));
    expect(judgeAtHost(taken(15), 'fast', nowMs)).toEqual({ kind: 'free', place: 15, callsAtOnce: 2 });
    expect(judgeAtHost(taken(16), 'fast', nowMs)).toEqual({ kind: 'busy' });
    expect(judgeAtHost(taken(3), 'slow', nowMs)).toMatchObject({ kind: 'free', place: 3 });
    expect(judgeAtHost(taken(4), 'slow', nowMs)).toEqual({ kind: 'slow', everyMs: 2_500 });
  });

  it('is shared equally by up to four, whose lines together make 32 calls at once', () => {
    for (const subscriptions of [2, 3, 4]) {
      const share = shareOfHost(subscriptions, 'fast');
      const lines = new Map<number, string>();
      const next = () => judge(pace([], { window: most, lines }), 'fast', nowMs, { share });
      let calls = 0;
      for (let verdict = next(); verdict.kind === 'free'; verdict = next()) {
        lines.set(verdict.place, newId(nowMs));
        calls += verdict.callsAtOnce;
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
