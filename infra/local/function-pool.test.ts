import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { soon } from '../../test/soon.ts';
import { start } from './function-fixture.ts';
import type { Invocation } from './function-instance.ts';

const counted = async (answer: Promise<Invocation>) =>
  z.object({ ok: z.literal(true), payload: z.object({ calls: z.number(), pid: z.number() }) }).parse(await answer)
    .payload;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('instances of a function', () => {
  test('stay warm: the next call finds the state that the last one left', async () => {
    const { call } = start();
    const first = await counted(call({ do: 'count' }));
    expect(first.calls).toBe(1);
    expect(await counted(call({ do: 'count' }))).toEqual({ calls: 2, pid: first.pid });
  });

  test('process one event at a time: concurrent calls run in several, and the most recently used one is chosen first', async () => {
    const { call, hold } = start();
    const [first, second] = [hold('first'), hold('second')];
    // The second call can only end in another instance.
    second.release();
    const secondPid = await second.answer;
    first.release();
    const firstPid = await first.answer;
    expect(secondPid).not.toEqual(firstPid);
    expect(firstPid).toEqual({ ok: true, payload: (await counted(call({ do: 'count' }))).pid });
  });

  test('are reused by a call that finds all busy, when one becomes free sooner than another would start', async () => {
    const { call } = start();
    await call({ do: 'count' });
    const answers = await Promise.all([1, 2, 3].map(() => counted(call({ do: 'count' }))));
    expect(answers.map(({ calls }) => calls)).toEqual([2, 3, 4]);
  });

  test('are limited to a maximum, beyond which calls wait in order', async () => {
    const { call } = start({}, { maximumInstances: 1 });
    const answers = await Promise.all([1, 2, 3, 4].map(() => counted(call({ do: 'count' }))));
    expect(answers.map(({ calls }) => calls)).toEqual([1, 2, 3, 4]);
  });

  test('never begin a call when all stay busy until its deadline', async () => {
    const { call, functions, hold } = start({}, { maximumInstances: 1 });
    const busy = hold('busy');
    const late = await functions.invoke('work', { do: 'count' }, { deadlineMs: 20 });
    expect(late).toMatchObject({ ok: false, reason: 'noInstance' });
    busy.release();
    expect(await busy.answer).toMatchObject({ ok: true });
    expect(await counted(call({ do: 'count' }))).toMatchObject({ calls: 1 });
  });

  test('never begin a call on an instance that is free, or would be started, only after its deadline', async () => {
    const { call, functions, hold } = start({ timeoutSeconds: 60 });
    await call({ do: 'count' });
    const busy = hold('busy');
    // Where in a millisecond a timer is made decides how early it ends.
    for (let tries = 0; tries < 40; tries += 1) {
      const late = await functions.invoke('work', { do: 'count' }, { deadlineMs: 5 });
      expect(late).toMatchObject({ ok: false, reason: 'noInstance' });
    }
    busy.release();
    expect(await busy.answer).toMatchObject({ ok: true });
    expect(await counted(call({ do: 'count' }))).toMatchObject({ calls: 2 });
  });

  test('never begin a call that has waited so long that its answer could come after its deadline', async () => {
    const { functions, hold } = start({}, { maximumInstances: 1, mostWaitMs: 20 });
    const busy = hold('busy');
    const late = await functions.invoke('work', { do: 'count' }, { deadlineMs: 60_000 });
    expect(late).toMatchObject({ ok: false, reason: 'noInstance' });
    busy.release();
    expect(await busy.answer).toMatchObject({ ok: true });
  });

  test('are tried again for each call while the machine starts none', async () => {
    const { functions } = start({ environment: { TOO_LARGE: 'x'.repeat(4_000_000) } });
    for (const _ of ['first', 'second']) {
      const answer = await functions.invoke('work', { do: 'count' }, { deadlineMs: 200 });
      expect(answer).toMatchObject({ ok: false, reason: 'crash', errorMessage: expect.stringContaining('E2BIG') });
    }
  });

  test('end when no call has come for a while', async () => {
    const { call } = start({}, { idleMs: 20 });
    const { pid } = await counted(call({ do: 'count' }));
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), soon);
    expect(await counted(call({ do: 'count' }))).toMatchObject({ calls: 1 });
  });

  test('never begin a call whose code was built after its deadline', async () => {
    const built = Promise.withResolvers<void>();
    const { functions } = start({}, { whenBuilt: () => built.promise });
    const late = functions.invoke('work', { do: 'count' }, { deadlineMs: 20 });
    const patient = functions.invoke('work', { do: 'count' }, { deadlineMs: 60_000 });
    setTimeout(built.resolve, 40);
    expect(await late).toMatchObject({ ok: false, reason: 'noInstance' });
    expect(await patient).toMatchObject({ payload: { calls: 1 } });
  });

  test('survive a Ctrl-C that reaches the whole process group', async () => {
    const { call } = start();
    expect(await call({ do: 'interrupt' })).toEqual({ ok: true, payload: 'still here' });
  });

  test('run new code once it is replaced: idle ones go at once, a busy one when its call has ended', async () => {
    const { call, folder, functions, hold } = start({ timeoutSeconds: 60 });
    const busyPid = (await counted(call({ do: 'count' }))).pid;
    const busy = hold('busy');
    const idlePid = (await counted(call({ do: 'count' }))).pid;

    writeFileSync(join(folder, 'work.cjs'), 'exports.handler = async () => "new code";');
    functions.replaceCode('work');
    await vi.waitFor(() => expect(isRunning(idlePid)).toBe(false), soon);
    expect(await call({})).toEqual({ ok: true, payload: 'new code' });

    busy.release();
    expect(await busy.answer).toEqual({ ok: true, payload: busyPid });
    expect(isRunning(busyPid)).toBe(false);
    const answers = await Promise.all([call({}), call({}), call({})]);
    expect(answers).toEqual(Array(3).fill({ ok: true, payload: 'new code' }));
  });

  test('are all gone after close, and a running call is answered', async () => {
    const { call, functions, hold } = start();
    const { pid } = await counted(call({ do: 'count' }));
    const { answer } = hold('for ever');
    await functions.close();
    expect(await answer).toMatchObject({ ok: false, reason: 'crash' });
    expect(await call({ do: 'count' })).toMatchObject({ ok: false, reason: 'crash' });
    expect(isRunning(pid)).toBe(false);
  });

  test('end with the process that started them, even when that is killed', async () => {
    const { folder, spec } = start();
    const path = join(folder, 'socket');
    const server = createServer().listen(path);
    const program = `
      import { startFunctions } from '${new URL('./functions.ts', import.meta.url)}';
      const functions = startFunctions([${JSON.stringify(spec)}], { environment: {}, logDirectory: '${folder}' });
      await functions.invoke('work', { do: 'connect', path: '${path}' });
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const [socket] = await once(server, 'connection');
    parent.kill('SIGKILL');
    await once(socket.resume(), 'close');
    server.close();
  });
});
