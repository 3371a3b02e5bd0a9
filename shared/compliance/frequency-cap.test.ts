import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotsAfter } from './frequency-cap.ts';

const cap = { max: 2, windowSeconds: 60 };

describe('frequency cap', () => {
  it('allows the maximum in the window, and returns when the next send is allowed', () => {
    expect(slotsAfter([], cap, 100_000)).toEqual({ kind: 'free', times: [100_000] });
    expect(slotsAfter([100_000], cap, 110_000)).toEqual({ kind: 'free', times: [100_000, 110_000] });
    expect(slotsAfter([100_000, 110_000], cap, 120_000)).toEqual({ kind: 'full', freeAtMs: 160_000 });
  });

  it('slides: the oldest send frees its slot at the end of the window, to the millisecond', () => {
    expect(slotsAfter([100_000, 110_000], cap, 159_999)).toEqual({ kind: 'full', freeAtMs: 160_000 });
    expect(slotsAfter([100_000, 110_000], cap, 160_000)).toEqual({ kind: 'free', times: [110_000, 160_000] });
  });

  it('waits until enough sends leave the window when the cap was lowered', () => {
    expect(slotsAfter([1_000, 2_000, 3_000, 4_000], { max: 1, windowSeconds: 60 }, 5_000)).toEqual({
      kind: 'full',
      freeAtMs: 64_000,
    });
  });

  it('counts a send with a time in the future', () => {
    expect(slotsAfter([130_000, 140_000], cap, 120_000)).toEqual({ kind: 'full', freeAtMs: 190_000 });
  });

  it('never allows more than the maximum in any window, and is free exactly at the returned time', () => {
    const caps = fc.record({ max: fc.integer({ min: 1, max: 5 }), windowSeconds: fc.integer({ min: 1, max: 5 }) });
    const steps = fc.array(fc.nat(1_500), { maxLength: 60 });
    fc.assert(
      fc.property(caps, steps, (limits, waits) => {
        const accepted: number[] = [];
        let kept: readonly number[] = [];
        let nowMs = 0;
        for (const wait of waits) {
          nowMs += wait;
          const slots = slotsAfter(kept, limits, nowMs);
          if (slots.kind === 'free') {
            accepted.push(nowMs);
            kept = slots.times;
          } else {
            expect(slots.freeAtMs).toBeGreaterThan(nowMs);
            expect(slotsAfter(kept, limits, slots.freeAtMs - 1).kind).toBe('full');
            expect(slotsAfter(kept, limits, slots.freeAtMs).kind).toBe('free');
          }
          const inWindow = accepted.filter((timeMs) => timeMs > nowMs - limits.windowSeconds * 1_000);
          expect(inWindow.length).toBeLessThanOrEqual(limits.max);
          expect(kept.length).toBeLessThanOrEqual(limits.max);
        }
      }),
    );
  });
});
