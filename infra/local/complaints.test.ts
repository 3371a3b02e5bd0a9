import { expect, test, vi } from 'vitest';
import { openComplaints } from './complaints.ts';
import { serveJson } from './emulators/json-service.ts';
import { serveLocally } from './emulators/local-server.ts';
import { closedAfterTest } from './emulators-fixture.ts';

test('what fails for the same reason is printed once, and once a minute while it still fails', () => {
  let nowMs = 0;
  const lines: unknown[] = [];
  const complain = openComplaints(
    (line) => lines.push(line),
    () => nowMs,
  );
  for (; nowMs < 150_000; nowMs += 500) {
    complain('The disk is full.', `full at ${nowMs}`);
    if (nowMs % 10_000 === 0) complain('It is read-only.', `read-only at ${nowMs}`);
  }
  const at = (ms: number) => [`full at ${ms}`, `read-only at ${ms}`];
  expect(lines).toEqual([...at(0), ...at(60_000), ...at(120_000)]);
});

test('emulators that fail at every call, as on a full disk, do not fill the terminal', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue();
  const failing = (name: string) => () => {
    throw new Error(`${name}: database or disk is full`);
  };
  const json = closedAfterTest(await serveJson(failing('json')));
  const local = closedAfterTest(await serveLocally({ 'GET /': failing('local') }));
  for (const url of [json.url, `http://localhost:${local.port}`])
    for (let call = 0; call < 10; call += 1) expect((await fetch(url)).status).toBe(500);
  expect(print).toHaveBeenCalledTimes(2);
});
