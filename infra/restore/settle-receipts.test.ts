import { afterAll, beforeAll, expect, it } from 'vitest';
import { settlementOf } from '../../shared/checkout/settle-payment.ts';
import { newId } from '../../shared/kit/id.ts';
import { noticeJob } from '../../shared/notices/notice-job.ts';
import { itemKeys } from '../../shared/table/keys.ts';
import { begunPayment } from '../../test/checkout-fixture.ts';
import { jobsFor } from '../../test/outbox-calls.ts';
import { startWorld, type World } from '../../test/world.ts';
import { settlingReceipts } from './settle-receipts.ts';

let former: World;
let restored: World;
let before: Awaited<ReturnType<World['scan']>>;
/** Two payments that are open at the restored time; the first has succeeded since. */
let [paid, open] = [
  { session: '', payment: '' },
  { session: '', payment: '' },
];
const kmsKey = Buffer.alloc(32, 7).toString('base64');

const succeed = async ({ payments }: World, { session: sessionId, payment: paymentId }: typeof paid) => {
  const found = (await payments.find(sessionId, paymentId)) ?? expect.fail('it is gone');
  const { amountMinor, currency } = found.payment;
  const settlement = settlementOf({
    ...found,
    answer: { state: 'succeeded', amountMinor, currency, paymentId },
    acceptsLatePayments: false,
    refundId: newId(Date.now()),
    nowMs: Date.now(),
  });
  if (settlement) await payments.saveSettlement(found, settlement);
};

beforeAll(async () => {
  [former, restored] = await Promise.all([startWorld({ kmsKey }), startWorld({ kmsKey })]);
  const account = await former.newAccount();
  const begin = async () => {
    const { session, payment } = await begunPayment(former, account);
    return { session: session.id, payment: payment.id };
  };
  [paid, open] = [await begin(), await begin()];
  before = await former.scan();
  await succeed(former, paid);
});
afterAll(() => Promise.all([former.close(), restored.close()]));

/** The restored table, not settled yet. */
const restore = () => Promise.all(before.map((Item) => restored.table.put({ Item })));

const settle = async (wishes: Parameters<ReturnType<typeof settlingReceipts>>[0]) =>
  (await Array.fromAsync(settlingReceipts(restored)(wishes)))
    .map(({ payment, outcome }) => `${payment} ${outcome}`)
    .sort();

/** The kinds of notices that follow when a payment succeeds in the restored table. */
const noticesOf = async (ids: typeof paid): Promise<string[]> => {
  const read = () => restored.table.get(itemKeys.payment(ids.session, ids.payment));
  const was = await read();
  await succeed(restored, ids);
  const change = { before: was, after: await read(), sequence: '1', atMs: Date.now() };
  return (await jobsFor('notices', noticeJob, [change])).map(({ kind }) => kind);
};

it('by the former table: a payment that has succeeded there gets no second receipt, another gets its first', async () => {
  await restore();
  const known = [`${paid.payment} known`];
  expect(await settle({ former: former.table, isDryRun: true })).toEqual(known);
  expect(await settle({ former: former.table })).toEqual(known);
  expect(await settle({ former: former.table })).toEqual([]);
  expect(await noticesOf(paid)).toEqual(['payment']);
  expect(await noticesOf(open)).toEqual(['payment', 'receipt']);
});

it('without the former table: no payment that was open gets a receipt, which may be its second', async () => {
  await restore();
  const uncertain = [paid, open].map(({ payment }) => `${payment} uncertain`).sort();
  expect(await settle({})).toEqual(uncertain);
  expect(await settle({})).toEqual([]);
  for (const ids of [paid, open]) expect(await noticesOf(ids)).toEqual(['payment']);
});
