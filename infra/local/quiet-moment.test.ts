import { expect, it } from 'vitest';
import { openQuietMoments } from './quiet-moment.ts';

const longMs = 600_000;

/** Functions whose calls end when the test says so. */
const openCalls = () => {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const moments = openQuietMoments(async (name) => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return { ok: true, payload: name };
  });
  return { ...moments, begun, end: (name: string) => ends.get(name)?.() };
};

it('is at once where no function runs', async () => {
  const { next } = openCalls();
  expect(await next(() => 'done', longMs)).toBe('done');
});

it('is when the last call has ended, and what queues start waits until it is over', async () => {
  const { foreground, background, next, begun, end } = openCalls();
  const running = [foreground('request', {}), background('job', {})];
  const moment = next(() => [...begun], longMs);
  const later = background('later job', {});
  const request = foreground('another request', {});
  for (const name of ['request', 'job', 'another request']) end(name);
  expect(await moment).toEqual(['request', 'job', 'another request']);
  await expect.poll(() => begun).toContain('later job');
  end('later job');
  expect(await Promise.all([...running, request, later])).toHaveLength(4);
});

it('does not come while a function runs, is not awaited twice, and an error of the work is passed on', async () => {
  const { foreground, next, end } = openCalls();
  const running = foreground('endless', {});
  const moment = next(() => 'done', 1);
  expect(await next(() => 'second', longMs)).toBeUndefined();
  expect(await moment).toBeUndefined();
  end('endless');
  await running;
  const failing = next(() => {
    throw new Error('disk full');
  }, longMs);
  await expect(failing).rejects.toThrow('disk full');
  expect(await next(() => 'after', longMs)).toBe('after');
});

it('is calm when no function has run for a while, and waits no longer than it is to', async () => {
  const { foreground, calm, end } = openCalls();
  await calm(longMs);
  const running = foreground('request', {});
  const begunMs = performance.now();
  await calm(50);
  expect(performance.now() - begunMs).toBeGreaterThanOrEqual(49);
  const waited = calm(longMs);
  end('request');
  await running;
  const next = foreground('what follows', {});
  end('what follows');
  await next;
  const endedMs = performance.now();
  await waited;
  expect(performance.now() - endedMs).toBeGreaterThanOrEqual(399);
});
