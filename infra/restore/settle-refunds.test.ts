import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkoutAddresses } from '../../shared/checkout/addresses.ts';
import type { GatewayAnswer } from '../../shared/checkout/gateway-answer.ts';
import type { RefundOrder } from '../../shared/checkout/order.ts';
import { newRefund } from '../../shared/checkout/refund.ts';
import { refundWorker } from '../../shared/checkout/work-refund.ts';
import { newId } from '../../shared/kit/id.ts';
import { answeredPayment } from '../../test/checkout-fixture.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import { settlingRefunds } from './settle-refunds.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

/** The time of the restored table's first jobs, when the claims of its settlement have ended. */
const laterMs = () => Date.now() + 61_000;

/** A gateway that makes a refund as often as it is asked, and knows what it has made. */
const startGateway = () => {
  const made: string[] = [];
  const known = ({ refundId, amountMinor }: RefundOrder): GatewayAnswer =>
    made.includes(refundId)
      ? { state: 'succeeded', amountMinor, reference: `at the gateway ${refundId}` }
      : { state: 'unknown', mayRetry: true };
  const findAdapter = async () => ({
    refund: async (_: unknown, order: RefundOrder) => {
      made.push(order.refundId);
      return known(order);
    },
    queryRefund: async (_: unknown, order: RefundOrder) => known(order),
  });
  const work = refundWorker({
    refunds: world.refunds,
    findAdapter,
    addresses: checkoutAddresses('https://pay.example'),
  });
  return { made, work };
};

/** A refund of a part, as the table had it before a worker came to it. */
const askedFor = async () => {
  const paid = await answeredPayment(world, account, { state: 'succeeded' });
  const nowMs = Date.now();
  const refund = newRefund(paid.payment, { id: newId(nowMs), amountMinor: 250_000, reason: undefined, nowMs });
  await world.refunds.add(paid, refund);
  const job = { session: refund.sessionId, refund: refund.id };
  return { job, id: refund.id, now: async () => (await world.refunds.find(job.session, job.refund))?.refund };
};

const settle = (isDryRun = false) => Array.fromAsync(settlingRefunds(world, Date.now)({ isDryRun }));

it('a refund that was made since is not made again, and one that was not made is made once', async () => {
  const [since, not] = [await askedFor(), await askedFor()];
  const { made, work } = startGateway();
  made.push(since.id);
  const ids = [since.id, not.id].sort();
  const settledIds = async (isDryRun?: boolean) => (await settle(isDryRun)).map(({ refund }) => refund).sort();

  expect(await settledIds(true)).toEqual(ids);
  expect((await since.now())?.claim).toBeUndefined();
  expect(await settledIds()).toEqual(ids);
  expect(await settledIds()).toEqual([]);

  expect(await work(since.job, laterMs())).toBe('over');
  expect(await work(not.job, laterMs())).toBe('again');
  expect(await work(not.job, laterMs())).toBe('over');
  expect(made).toEqual([since.id, not.id]);
  for (const { now } of [since, not]) expect(await now()).toMatchObject({ status: 'SUCCEEDED' });
});

it('a refund that had been asked for, or has ended, stays as it is', async () => {
  const [asked, ended] = [await askedFor(), await askedFor()];
  const { work } = startGateway();
  expect(await work(ended.job, Date.now())).toBe('over');
  const before = await asked.now();
  if (before) await world.refunds.claim(before, Date.now());
  const claimed = await asked.now();
  expect(await settle()).toEqual([]);
  expect(await asked.now()).toEqual(claimed);
});
