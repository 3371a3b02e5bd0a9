import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach } from 'vitest';
import type { RouteSpec } from './blueprint.ts';
import { startFunctions } from './functions.ts';
import { type HttpApiOptions, startHttpApi } from './http-api.ts';

const bundle = `
  const actions = {
    '/event': async (event) => event,
    '/answer': async (event) => JSON.parse(event.body),
    '/throw': async () => { throw new Error('thrown'); },
    '/exit': async () => process.exit(1),
    '/never': () => new Promise(() => {}),
    '/slowly': () => new Promise((done) => setTimeout(done, 100, { done: true })),
  };
  exports.handler = async (event) => (actions[event.rawPath] ?? actions['/event'])(event);
`;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

export const routeTo = (key: string, own: Partial<RouteSpec> = {}): RouteSpec => ({
  key,
  functionName: 'work',
  ...own,
});

/** An HTTP API with a function behind every path, until the test ends. */
export const start = async (own: Partial<HttpApiOptions> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  writeFileSync(join(folder, 'work.cjs'), bundle);
  const spec = {
    name: 'work',
    arn: 'arn:aws:lambda:eu-central-1:000000000000:function:work',
    codeDirectory: folder,
    handler: 'work.handler',
    environment: {},
    timeoutSeconds: 3,
    roleArn: 'arn:aws:iam::000000000000:role/test',
    logGroup: 'functions',
    memoryMegabytes: 128,
  };
  const functions = startFunctions([spec], { environment: {}, logDirectory: folder });
  stops.push(async () => {
    await functions.close();
    rmSync(folder, { recursive: true });
  });
  const options = { port: 0, routes: [routeTo('$default')], invoke: functions.invoke, ...own };
  const httpApi = await startHttpApi(options);
  stops.push(httpApi.close);
  return httpApi;
};

/** Sends a request and waits for the response; the caller writes and ends the body. */
export const open = (url: string, options: RequestOptions = {}) => {
  const sent = request(url, options);
  const answer = new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject));
  return { sent, answer: answer.then(async (response) => ({ response, body: await text(response) })) };
};
