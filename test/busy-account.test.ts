import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inFull } from './model-runs.ts';
import { startTestStack, type TestStack } from './test-stack.ts';

// One busy account on a stack whose emulators conflict and throttle as AWS does.

const callers = inFull ? 30 : 15;
const emailsEach = inFull ? 10 : 1;

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ arguments: ['--aws-limits'] });
});
afterAll(async () => {
  await stack.stop();
  stack.forget();
});

const credits = async (): Promise<number> =>
  (await stack.admin('GET', `/accounts/${stack.file.accountId}/credits`)).body.data.email;

const send = async (n: number): ReturnType<TestStack['api']> => {
  const email = { channel: 'email', to: `person-${n}@example.com`, subject: 'Hello', text: 'It works.' };
  const answer = await stack.api('POST', '/messages', email, { 'idempotency-key': `email ${n}` });
  // On a busy machine, API Gateway may answer for the function, which had no time to and then holds the key for a while.
  const isOfGateway = answer.body.message !== undefined && [429, 503].includes(answer.status);
  if (!isOfGateway && answer.body.error?.code !== 'idempotency_conflict') return answer;
  await sleep(1_000);
  return send(n);
};

/** The ids of all messages, newest first. */
const kept = (): Promise<string[]> =>
  Array.fromAsync(stack.client.all('GET /messages', { query: { limit: 100 } }), ({ id }) => id);

it(`accepts each of ${callers * emailsEach} emails from ${callers} parallel callers, or refuses it with Retry-After and keeps nothing; messages and credits are exact`, {
  timeout: 300_000,
}, async () => {
  const before = await credits();
  const each = Array.from({ length: callers }, async (_, caller) => {
    const answers = [];
    for (let n = 0; n < emailsEach; n += 1) answers.push(await send(caller * emailsEach + n));
    return answers;
  });
  const answers = (await Promise.all(each)).flat();
  const accepted = answers.filter(({ status }) => status === 201);
  for (const { status, headers } of answers.filter(({ status: one }) => one !== 201)) {
    expect([429, 503]).toContain(status);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(accepted.length).toBeGreaterThan(answers.length / 2);
  expect((await kept()).sort()).toEqual(accepted.map(({ body }) => body.data.id).sort());
  expect(await credits()).toBe(before - accepted.length);
});
