import { expect, it, onTestFinished, vi } from 'vitest';
import { startDynamodb } from '../infra/local/emulators/dynamodb.ts';
import type { Lane } from './crash/lane.ts';
import { openMessages } from './crash/messages.ts';
import { openPayments } from './crash/payments.ts';
import { startDynamodbFaults } from './dynamodb-faults.ts';
import { killMoments, modelFaults } from './model-runs.ts';
import { soon } from './soon.ts';
import { newDataDirectory, startTestStack, type TestStack } from './test-stack.ts';

// Kills the stack while messages, payments and refunds are under way, over a table that loses answers, conflicts and throttles. The simulation
// kills before and after each effect of every function; here real processes, files and sockets are cut off.

interface Burst {
  readonly accepted: number;
  readonly isAnswered: boolean;
  readonly calls: number;
  readonly heard: number;
}

/** On a busy machine, too few of a burst may be accepted. */
const whenAccepted =
  (share: number) =>
  ({ accepted, isAnswered, calls }: Burst): boolean =>
    isAnswered || accepted >= share * calls;

/** The stack is killed once this is so of every lane: while requests run, while changes and jobs are worked off, while events are delivered. */
const moments: readonly ((burst: Burst) => boolean)[] = [
  whenAccepted(0.1),
  whenAccepted(0.5),
  whenAccepted(0.9),
  ({ accepted, isAnswered, heard }) => heard >= 2 || (isAnswered && accepted === 0),
];

/** Begins a burst. Returns what became of it so far. */
const begin = ({ burst, heard }: Lane, stack: TestStack) => {
  const [before, calls] = [heard(), burst(stack)];
  let [accepted, answered] = [0, 0];
  const all = calls.map((call) =>
    call.then((isAccepted) => {
      answered += 1;
      if (isAccepted) accepted += 1;
    }),
  );
  const now = (): Burst => ({
    accepted,
    isAnswered: answered === calls.length,
    calls: calls.length,
    heard: heard() - before,
  });
  return { now, answered: Promise.all(all) };
};

it('a stack that is killed loses, repeats and miscounts no message, payment, refund and event', async () => {
  const dataDirectory = newDataDirectory();
  const dynamodb = await startDynamodb({ dataDirectory, tables: [] });
  const faults = await startDynamodbFaults({ url: dynamodb.url, seed: modelFaults.seed });
  const start = () => startTestStack({ dataDirectory, environment: { DYNAMODB_ENDPOINT: faults.url } });
  let stack = await start();
  const lanes = [await openMessages(stack), await openPayments(stack)];
  onTestFinished(async () => {
    await Promise.all(lanes.map(({ close }) => close()));
    await faults.close();
    await dynamodb.close();
  });

  faults.set(modelFaults.rates);
  for (const isTime of killMoments(moments)) {
    const bursts = lanes.map((lane) => begin(lane, stack));
    await vi.waitUntil(() => bursts.every(({ now }) => isTime(now())), { ...soon, interval: 1 });
    await stack.kill();
    await Promise.all(bursts.map(({ answered }) => answered));
    stack = await start();
  }
  const underWay = async () => (await Promise.all(lanes.map((lane) => lane.underWay(stack)))).flat();
  // A look is several requests, and a payment whose callback was lost is checked after 15 s.
  await expect.poll(underWay, { ...soon, interval: 3_000 }).toEqual([]);
  faults.set();
  for (const { check } of lanes) await check(stack);
  await stack.stop();
  stack.forget();
});
