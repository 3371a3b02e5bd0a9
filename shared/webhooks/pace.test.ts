import { describe, expect, it } from 'vitest';
import { anyTurn, hostOf, judge as judgeAt, type Lane, type Pace, slowUntil, turnsAt } from './pace.ts';

const nowMs = 1_000_000;
const pace = (agesMs: readonly number[], more: Partial<Pace> = {}): Pace => ({
  turns: new Map(agesMs.map((ageMs, turn) => [turn, nowMs - ageMs])),
  slowUntilMs: 0,
  lastMs: undefined,
  ...more,
});

const judge = (of: Pace, lane: Lane, atMs: number) => judgeAt(turnsAt.subscription, of, lane, atMs);

describe('the pace of a target', () => {
  it('lets four at a time to a quick target', () => {
    expect(judge(pace([]), 'fast', nowMs)).toEqual({ kind: 'free', turn: 0 });
    expect(judge(pace([10, 10, 10]), 'fast', nowMs)).toEqual({ kind: 'free', turn: 3 });
    expect(judge(pace([10, 10, 10, 10]), 'fast', nowMs)).toEqual({ kind: 'busy' });
  });

  it('defers the others as soon as one of the four is slow', () => {
    expect(judge(pace([2_000, 10, 10, 10]), 'fast', nowMs).kind).toBe('busy');
    expect(judge(pace([2_001, 10, 10, 10]), 'fast', nowMs)).toEqual({ kind: 'slow', everyMs: 5_000 });
  });

  it('takes over the turn of a crashed run', () => {
    expect(judge(pace([10, 25_001, 10, 10]), 'fast', nowMs)).toEqual({ kind: 'free', turn: 1 });
    expect(judge(pace([10, 25_000, 10, 10]), 'fast', nowMs).kind).toBe('slow');
  });

  it('keeps a slow target out of the fast lane for a minute after its last slow answer', () => {
    expect(slowUntil(1_000, nowMs)).toBe(0);
    const slowUntilMs = slowUntil(1_001, nowMs);
    expect(slowUntilMs).toBe(nowMs + 60_000);
    expect(judge(pace([], { slowUntilMs }), 'fast', nowMs + 60_000)).toEqual({ kind: 'slow', everyMs: 0 });
    expect(judge(pace([10, 10], { slowUntilMs, lastMs: 900 }), 'fast', nowMs)).toEqual({ kind: 'slow', everyMs: 450 });
    expect(judge(pace([], { slowUntilMs }), 'fast', nowMs + 60_001).kind).toBe('free');
    expect(judge(pace([], { slowUntilMs }), 'slow', nowMs).kind).toBe('free');
  });

  it('allows two at a time to a slow target, and spaces the others', () => {
    expect(judge(pace([10]), 'slow', nowMs)).toEqual({ kind: 'free', turn: 1 });
    expect(judge(pace([9_000, 10], { lastMs: 3_001 }), 'slow', nowMs)).toEqual({ kind: 'slow', everyMs: 1_501 });
    expect(judge(pace([9_000, 10]), 'slow', nowMs)).toEqual({ kind: 'slow', everyMs: 5_000 });
  });

  it('begins with any turn that the lane has', () => {
    expect([0, 0.25, 0.5, 0.999].map((random) => anyTurn(turnsAt.subscription, 'fast', random))).toEqual([0, 1, 2, 3]);
    expect([0, 0.49, 0.5, 0.999].map((random) => anyTurn(turnsAt.subscription, 'slow', random))).toEqual([0, 0, 1, 1]);
  });

  it('lets 32 at a time to a quick host, whichever subscriptions name it', () => {
    const full = pace(Array.from({ length: 32 }, () => 10));
    expect(judgeAt(turnsAt.host, pace(Array.from({ length: 31 }, () => 10)), 'fast', nowMs)).toEqual({
      kind: 'free',
      turn: 31,
    });
    expect(judgeAt(turnsAt.host, full, 'fast', nowMs)).toEqual({ kind: 'busy' });
    expect(judgeAt(turnsAt.host, { ...full, lastMs: 800 }, 'slow', nowMs)).toEqual({ kind: 'slow', everyMs: 100 });
  });

  it('knows a host by its name alone, however a url writes it', () => {
    for (const url of ['https://Example.com/a', 'http://example.com:8080', 'https://u:p@example.com./b?c'])
      expect(hostOf(url)).toBe('example.com');
  });
});
