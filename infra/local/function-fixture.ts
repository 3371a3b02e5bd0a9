import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { FunctionSpec } from './blueprint.ts';
import { type Functions, type FunctionsOptions, startFunctions } from './functions.ts';

/** A bundle whose handler does what its event asks for. */
export const bundle = `
  let calls = 0;
  const actions = {
    echo: (event) => event.value,
    count: () => ({ calls: ++calls, pid: process.pid }),
    environment: () => process.env,
    context: (event, context) => ({ ...context, remainingMs: context.getRemainingTimeInMillis() }),
    hour: () => new Date(0).getHours(),
    nothing: () => undefined,
    circular: () => { const self = {}; self.self = self; return self; },
    throw: () => { throw new RangeError('too far'); },
    throwText: () => { throw 'plain words'; },
    connect: ({ path }) => new Promise((done) => require('node:net').connect(path, done)),
    waitFor: async ({ path }) => {
      while (!require('node:fs').existsSync(path)) await new Promise((done) => setTimeout(done, 5));
      return process.pid;
    },
    print: () => { console.log('printed'); console.error('complained'); },
    printAndLoop: () => { console.log('one'); console.log('two'); for (;;); },
    interrupt: async () => { process.kill(process.pid, 'SIGINT'); await new Promise(setImmediate); return 'still here'; },
    exit: () => process.exit(3),
    throwLater: () => new Promise(() => setImmediate(() => { throw new Error('nobody catches this'); })),
    reject: () => new Promise(() => { Promise.reject(new Error('nor this')); }),
    fillMemory: () => { const kept = []; for (;;) kept.push(new Array(1000).fill({})); },
    clock: () => ({ now: Date.now(), made: new Date().getTime(), isDate: new Date() instanceof Date, parsed: new Date(0).getTime(), calls: ++calls }),
  };
  exports.handler = async (event, context) => actions[event.do](event, context);
`;

const folders: string[] = [];
const running: Functions[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((functions) => functions.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

export const arn = 'arn:aws:lambda:eu-central-1:000000000000:function:work';

/** The function `work` of that bundle, in a folder of its own, until the test ends. */
export const start = (own: Partial<FunctionSpec> = {}, options: Partial<FunctionsOptions> = {}) => {
  // On macOS the temporary directory is a symbolic link; a module's file name is its target.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'functions-')));
  folders.push(folder);
  writeFileSync(join(folder, 'work.cjs'), bundle);
  const spec: FunctionSpec = {
    name: 'work',
    arn,
    codeDirectory: folder,
    handler: 'work.handler',
    environment: {},
    timeoutSeconds: 5,
    roleArn: 'arn:aws:iam::000000000000:role/test',
    logGroup: '/aws/lambda/work',
    memoryMegabytes: 128,
    ...own,
  };
  const functions = startFunctions([spec], { environment: {}, logDirectory: folder, ...options });
  running.push(functions);
  return {
    functions,
    folder,
    spec,
    call: (event: unknown) => functions.invoke('work', event),
    /** A call that runs until `release`. */
    hold: (name: string) => {
      const path = join(folder, name);
      const answer = functions.invoke('work', { do: 'waitFor', path });
      return { answer, release: () => writeFileSync(path, '') };
    },
    log: () => readFileSync(join(folder, 'work.log'), 'utf8'),
  };
};
