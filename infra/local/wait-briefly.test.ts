import { expect, it } from 'vitest';
import { waitBriefly } from './wait-briefly.ts';

it('waits no longer than the given time for work that does not end', async () => {
  await expect(waitBriefly(new Promise(() => undefined), 5)).resolves.toBeUndefined();
});

it('returns when the work has ended, long before the given time', async () => {
  const beganMs = performance.now();
  await waitBriefly(Promise.resolve(), 60_000);
  expect(performance.now() - beganMs).toBeLessThan(30_000);
});

it('fails as the work fails', async () => {
  await expect(waitBriefly(Promise.reject(new Error('no disk')), 60_000)).rejects.toThrow('no disk');
});
