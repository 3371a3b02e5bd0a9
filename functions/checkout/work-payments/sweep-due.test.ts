import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkoutAddresses } from '../../../shared/checkout/addresses.ts';
import { type DuePlace, duePlace } from '../../../shared/checkout/due.ts';
import { sessionLifetimeSeconds } from '../../../shared/checkout/new-session.ts';
import type { FoundPayment } from '../../../shared/checkout/payment.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/payment-job.ts';
import { newRefund } from '../../../shared/checkout/refund.ts';
import { paymentResolver } from '../../../shared/checkout/resolve.ts';
import type { CheckoutSession } from '../../../shared/checkout/session.ts';
import { settlementOfReview } from '../../../shared/checkout/settle-review.ts';
import { newId, timeOfId } from '../../../shared/kit/id.ts';
import { dayMs, hourMs, minuteMs } from '../../../shared/kit/time-units.ts';
import { type DueStore, dueStore } from '../../../shared/table/checkout/due-store.ts';
import { indexKeys, itemKeys, partitions } from '../../../shared/table/keys.ts';
import { answeredPayment, begunPayment, openSession } from '../../../test/checkout-fixture.ts';
import { randomIn } from '../../../test/simulation/random.ts';
import { startList } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { sweepDue } from './sweep-due.ts';

let world: World;
let account: TestAccount;
let startMs: number;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  account = await world.newAccount();
  startMs = Date.now();
});

/** Sweeps at this time, with the sweeps that they queue: everything, or the places of one session. Returns the other jobs that they queued. */
const sweepAll = async (nowMs: number, first: readonly PaymentJobOf<'sweep'>[], pageSize?: number) => {
  const { jobs, send } = startList<PaymentJob>();
  const due = dueStore(world.table, pageSize);
  const run = sweepDue({ ...world, due, paymentsQueue: { send }, lifetimeSeconds: 86_400 });
  const others: PaymentJob[] = [];
  const sweeps = [...first];
  for (const each of sweeps) {
    await run(each, nowMs);
    for (const job of jobs.splice(0))
      if (job.kind === 'sweep') sweeps.push(job);
      else others.push(job);
  }
  return others;
};
const sweep = async (nowMs: number, { id }: Pick<CheckoutSession, 'id'>) => {
  const rows = await world.table.query(partitions.checkout(id), { from: 'PAY#', to: 'SESSION', newestFirst: false });
  const places = rows.flatMap(({ GSI1PK = '' }) => {
    const [, entity, shard] = /^OPEN#(.*)#(.*)$/.exec(String(GSI1PK)) ?? [];
    return entity === undefined ? [] : [duePlace.parse({ entity, shard: Number(shard) })];
  });
  const jobs = await sweepAll(
    nowMs,
    places.map((place) => ({ kind: 'sweep', place })),
  );
  return jobs.filter((job) => 'session' in job && job.session === id);
};

const newSession = async (wishes: Partial<CheckoutSession> = {}): Promise<CheckoutSession> => {
  const session = openSession(account.ref.id, wishes);
  await world.sessions.create(account.ref, session, { idempotencyKey: undefined, nowMs: startMs });
  return session;
};
const rowOf = ({ id }: Pick<CheckoutSession, 'id'>) => world.table.get(itemKeys.checkoutSession(id));
const settle = ({ session, payment }: FoundPayment, answer: Parameters<typeof answeredPayment>[2]) => {
  const findAdapter = async () => undefined;
  const resolver = paymentResolver({ ...world, findAdapter, addresses: checkoutAddresses('https://pay.example') });
  return world.payments
    .find(session.id, payment.id)
    .then((found) => resolver.applyAnswer(found ?? expect.fail(), answer, startMs));
};

describe('the end of a session', () => {
  it('is written in the minute after it, and leaves the index', async () => {
    const session = await newSession();
    await sweep(session.expiresMs - 1, session);
    expect(await rowOf(session)).toMatchObject({ status: 'OPEN', GSI1PK: expect.any(String) });
    expect(await sweep(session.expiresMs + minuteMs, session)).toEqual([]);
    const row = await rowOf(session);
    expect(row).toMatchObject({ status: 'EXPIRED', paymentStatus: 'PENDING' });
    expect(row).not.toHaveProperty('GSI1PK');
  });

  it('is written by a later sweep when sweeps were missed, also of more sessions than one page has', async () => {
    const sessions = await Promise.all(Array.from({ length: 40 }, () => newSession()));
    await sweepAll(startMs + 3 * dayMs, [{ kind: 'sweep' }], 1);
    const rows = await Promise.all(sessions.map(rowOf));
    expect(new Set(rows.map((row) => row?.['status']))).toEqual(new Set(['EXPIRED']));
  });

  it('waits for the payment in progress, 30 minutes at most; then it is asked about a last time', async () => {
    const { session } = await begunPayment(world, account);
    const expiries: number[] = [];
    for (const minutes of [0, 29, 30, 31, 24 * 60 + 30]) {
      const jobs = await sweep(session.expiresMs + minutes * minuteMs, session);
      for (const job of jobs.filter(({ kind }) => kind === 'expire')) {
        expect(job).toEqual({ kind: 'expire', account: account.ref.id, session: session.id });
        expiries.push(minutes);
      }
    }
    // Later again, because the job may have been lost.
    expect(expiries).toEqual([30, 24 * 60 + 30]);
  });

  it('is preceded by questions about the payment in progress, also late ones, so that money which arrives in the wait completes the session', async () => {
    const asked = async (minutes: readonly number[]) => {
      const { session, payment } = await begunPayment(world, account, { expiresMs: startMs + 20 * minuteMs }, 'bkash');
      const ids = { account: account.ref.id, session: session.id };
      const found: (readonly [number, string])[] = [];
      for (const minute of minutes)
        for (const job of await sweep(session.expiresMs + minute * minuteMs, session)) {
          const isExpiry = job.kind === 'expire';
          expect(job).toEqual(isExpiry ? { kind: 'expire', ...ids } : { kind: 'resolve', ...ids, payment: payment.id });
          found.push([minute, job.kind]);
        }
      return found;
    };
    const before = [0, 1, 5, 15, 25, 28, 29].map((minute) => [minute, 'resolve']);
    expect(await asked(Array.from({ length: 31 }, (_, minute) => minute))).toEqual([...before, [30, 'expire']]);
    expect(await asked([3, 3.9, 5.2, 27.9, 29.8, 30.7])).toEqual([
      ...[3, 5.2, 27.9, 29.8].map((minute) => [minute, 'resolve']),
      [30.7, 'expire'],
    ]);
  });

  it('is preceded by each of those questions when sweeps come up to 20 seconds early or late', async () => {
    const random = randomIn(1, 'sweeps');
    for (let run = 0; run < 3; run += 1) {
      const { session } = await begunPayment(world, account, { expiresMs: startMs + 20 * minuteMs }, 'bkash');
      const minutes = Array.from({ length: 32 }, (_, minute) => minute + (random.next() * 40 - 20) / 60);
      const found: (readonly [number, string])[] = [];
      for (const minute of minutes)
        for (const { kind } of await sweep(session.expiresMs + minute * minuteMs, session)) found.push([minute, kind]);
      const firstAfter = (minute: number) => minutes.find((each) => each >= minute) ?? expect.fail();
      const asked = new Set([0, 1, 5, 15, 25, 28, 29].map(firstAfter).filter((minute) => minute < 30));
      expect(found).toEqual([...[...asked].map((minute) => [minute, 'resolve']), [firstAfter(30), 'expire']]);
    }
  });

  it('is tried again after five minutes, then ever more rarely, when it was not written', async () => {
    const { session } = await begunPayment(world, account);
    const expiries: number[] = [];
    for (let dueMs = session.expiresMs + 30 * minuteMs; expiries.length < 13; ) {
      const jobs = await sweep(dueMs, session);
      expect(jobs.map(({ kind }) => kind)).toContain('expire');
      expiries.push((dueMs - session.expiresMs) / minuteMs - 30);
      dueMs = timeOfId(String((await rowOf(session))?.['GSI1SK']));
    }
    expect(expiries).toEqual([0, 5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 4_000, 5_440]);
  });

  it('is written in the minute after the payment in progress has failed by a check that began before the end', async () => {
    const found = await begunPayment(world, account);
    const { session } = found;
    await sweep(session.expiresMs, session);
    await settle(found, { state: 'failed' });
    expect(await rowOf(session)).toMatchObject({ status: 'OPEN' });
    await sweep(session.expiresMs + minuteMs, session);
    expect(await rowOf(session)).toMatchObject({ status: 'EXPIRED', paymentStatus: 'FAILED' });
  });

  it('deletes the row 30 days later only if no payment was begun', async () => {
    const untouched = await newSession();
    expect((await rowOf(untouched))?.['expiresAt']).toBe(Math.ceil((untouched.expiresMs + 30 * dayMs) / 1_000));
    const { session } = await begunPayment(world, account);
    expect(await rowOf(session)).not.toHaveProperty('expiresAt');
  });

  it('takes a session out of the index that a function of the previous release has ended', async () => {
    const session = await newSession();
    await world.table.update({
      ...{ Key: itemKeys.checkoutSession(session.id), UpdateExpression: 'SET #status = :completed' },
      ...{ ConditionExpression: 'attribute_exists(PK)', ExpressionAttributeNames: { '#status': 'status' } },
      ExpressionAttributeValues: { ':completed': 'COMPLETED' },
    });
    await sweep(session.expiresMs + minuteMs, session);
    expect(await rowOf(session)).toMatchObject({ status: 'COMPLETED' });
    expect(await rowOf(session)).not.toHaveProperty('GSI1PK');
  });

  it('comes without a sweep for a completed session, which has left the index', async () => {
    const { session } = await answeredPayment(world, account, { state: 'succeeded' });
    expect(await rowOf(session)).not.toHaveProperty('GSI1PK');
    await sweep(session.expiresMs + dayMs, session);
    expect(await rowOf(session)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('the later checks of a payment', () => {
  const idsOf = ({ session, payment }: FoundPayment) => ({
    account: account.ref.id,
    session: session.id,
    payment: payment.id,
  });
  const resolveJob = (found: FoundPayment) => ({ kind: 'resolve', ...idsOf(found) });
  const far = { expiresMs: Date.now() + 30 * dayMs };

  it('come after 1, 6, 24 and 72 hours, then daily while it is PENDING', async () => {
    const found = await begunPayment(world, account, far);
    const hours: number[] = [];
    for (const hour of [0, 1, 2, 5, 6, 7, 23, 24, 25, 71, 72, 73, 95, 96, 97, 120, 144])
      if ((await sweep(startMs + hour * hourMs + minuteMs, found.session)).length > 0) hours.push(hour);
    expect(hours).toEqual([1, 6, 24, 72, 96, 120, 144]);
  });

  it('also open it at its gateway if it was not', async () => {
    const found = await begunPayment(world, account, far, 'bkash');
    const opening = { kind: 'open', attempt: 1, ...idsOf(found) };
    expect(await sweep(startMs + hourMs + minuteMs, found.session)).toEqual([resolveJob(found), opening]);
    await world.payments.saveOpening(found, { redirectUrl: 'https://gateway.example/', reference: 'r' });
    expect(await sweep(startMs + 7 * hourMs, found.session)).toEqual([resolveJob(found)]);
  });

  it('go on for 72 hours after a real gateway reported a failure, because money may arrive', async () => {
    const found = await begunPayment(world, account, far, 'bkash');
    await settle(found, { state: 'failed', code: 'c' });
    expect(await sweep(startMs + hourMs + minuteMs, found.session)).toEqual([resolveJob(found)]);
    expect(await sweep(startMs + 73 * hourMs, found.session)).toEqual([resolveJob(found)]);
    const row = await world.table.get(itemKeys.payment(found.session.id, found.payment.id));
    expect(row).not.toHaveProperty('GSI1PK');
  });

  it('come again when a review has rejected what a real gateway had reported, because the right money may arrive', async () => {
    const found = await begunPayment(world, account, far, 'bkash');
    const { id, currency } = found.payment;
    const held = await settle(found, { state: 'succeeded', amountMinor: 1, currency, paymentId: id });
    expect(held.payment.mark).toBe('held');
    expect(await sweep(startMs + 2 * hourMs, found.session)).toEqual([]);
    const facts = { ...held, acceptsLatePayments: false, refundId: newId(startMs), nowMs: startMs + 2 * hourMs };
    const rejection = settlementOfReview(facts, { decision: 'reject', reason: undefined }) ?? expect.fail();
    expect(await world.payments.saveSettlement(held, rejection)).toBe(true);
    const hours: number[] = [];
    for (const hour of [2, 3, 6, 24, 72, 100])
      if ((await sweep(startMs + hour * hourMs + minuteMs, found.session)).length > 0) hours.push(hour);
    expect(hours).toEqual([2, 6, 24, 72]);
  });

  it('do not come for one that the simulator ended, that succeeded or is held for review', async () => {
    for (const answer of [
      { state: 'failed' },
      { state: 'succeeded' },
      { state: 'succeeded', amountMinor: 1 },
    ] as const) {
      const found = await answeredPayment(world, account, answer, far);
      expect(await sweep(startMs + 2 * dayMs, found.session)).toEqual([]);
    }
  });

  it('come at once for a payment of the previous release, which has its creation in the index', async () => {
    const found = await begunPayment(world, account, far);
    const { GSI1SK } = indexKeys.payment(0, found.payment.id);
    const Key = itemKeys.payment(found.session.id, found.payment.id);
    await world.table.update({
      ...{ Key, UpdateExpression: 'SET GSI1SK = :created', ConditionExpression: 'attribute_exists(PK)' },
      ExpressionAttributeValues: { ':created': GSI1SK },
    });
    expect(await sweep(startMs + minuteMs, found.session)).toEqual([resolveJob(found)]);
    expect(await sweep(startMs + 2 * minuteMs, found.session)).toEqual([]);
  });
});

it('a refund that is pending is worked on again after 1, 6, 24 and 72 hours, then for weeks, until it has ended', async () => {
  const found = await answeredPayment(world, account, { state: 'succeeded' });
  const refund = newRefund(found.payment, { id: newId(startMs), amountMinor: 1, reason: undefined, nowMs: startMs });
  await world.refunds.add(found, refund);
  const days: number[] = [];
  for (let day = 0; day <= 32; day += 1) {
    const jobs = await sweep(startMs + day * dayMs + 2 * hourMs, found.session);
    if (jobs.length > 0) days.push(day);
    for (const job of jobs)
      expect(job).toEqual({ kind: 'refund', account: account.ref.id, session: found.session.id, refund: refund.id });
  }
  expect(days).toEqual([0, 1, 3, 7, 14, 30, 31, 32]);
  const pending = (await world.refunds.find(found.session.id, refund.id)) ?? expect.fail();
  await world.refunds.saveAnswer(pending, { status: 'SUCCEEDED', reference: 'r', failureReason: undefined });
  expect(await sweep(startMs + 60 * dayMs, found.session)).toEqual([]);
});

describe('a process that has swept before', () => {
  /** The sweeps of each minute in one process. `isMoving`: the index shows no row at any time, but for one that is due at `laterMs`. */
  const startSweeper = (
    lifetimeSeconds = 86_400,
    index: { readonly isMoving: boolean; readonly laterMs?: number } = { isMoving: false },
  ) => {
    const { jobs, send } = startList<PaymentJob>();
    const looks: DuePlace[] = [];
    const store = dueStore(world.table);
    const due: DueStore = {
      ...store,
      firstMs: (place, untilMs) => {
        looks.push(place);
        return index.isMoving ? Promise.resolve(index.laterMs) : store.firstMs(place, untilMs);
      },
    };
    const run = sweepDue({ ...world, due, paymentsQueue: { send }, lifetimeSeconds });
    return {
      /** The places that it looked into, and the jobs that it queued, at a minute. */
      at: async (minute: number) => {
        await run({ kind: 'sweep' }, startMs + minute * minuteMs);
        return { looks: looks.splice(0), jobs: jobs.splice(0) };
      },
    };
  };

  it('ends the shortest session in the minute in which it expires, in whichever minute it was created', async () => {
    const sweeper = startSweeper();
    const created = new Map<number, CheckoutSession>();
    for (let minute = 0; minute <= 16; minute += 1) {
      await sweeper.at(minute);
      for (const [createdAt, session] of created)
        expect([createdAt, minute, (await rowOf(session))?.['status']]).toEqual([
          ...[createdAt, minute],
          minute < createdAt + 5 ? 'OPEN' : 'EXPIRED',
        ]);
      const expiresMs = startMs + minute * minuteMs + sessionLifetimeSeconds.least * 1_000;
      created.set(minute, await newSession({ expiresMs }));
    }
  });

  it('ends sessions in time that the deployment lets live for a minute', async () => {
    const sweeper = startSweeper(60);
    await sweeper.at(0);
    const session = await newSession({ expiresMs: startMs + minuteMs });
    await sweeper.at(1);
    expect(await rowOf(session)).toMatchObject({ status: 'EXPIRED' });
  });

  it('finds the first later check of a payment in its minute', async () => {
    const sweeper = startSweeper();
    await sweeper.at(0);
    const { payment } = await begunPayment(world, account, { expiresMs: Date.now() + 30 * dayMs });
    const minutes: number[] = [];
    for (const minute of [1, 30, 59, 60, 61, 62]) {
      const { jobs } = await sweeper.at(minute);
      if (jobs.some((job) => job.kind === 'resolve' && job.payment === payment.id)) minutes.push(minute);
    }
    expect(minutes).toEqual([61]);
  });

  /** When the row of a waiting session is due, in minutes. */
  const dueMinuteOf = async (session: CheckoutSession): Promise<number> =>
    (timeOfId(String((await rowOf(session))?.['GSI1SK'])) - startMs) / minuteMs;

  it('finds in each minute a session that waits for its payment, a bit early or late, also where another process swept before', async () => {
    const random = randomIn(2, 'sweeps');
    const { session } = await begunPayment(world, account, { expiresMs: startMs + 7 * minuteMs });
    const sweepers = [startSweeper(), startSweeper()];
    for (let n = 0; n <= 20; n += 1) {
      const minute = n + Math.floor(random.next() * 40_000 - 20_000) / minuteMs;
      await sweepers[n % 2]?.at(minute);
      expect([n, await dueMinuteOf(session)]).toEqual([n, expect.closeTo(minute < 7 ? 7 : minute + 0.5, 6)]);
    }
  });

  it('finds a waiting session again whose row the index showed at no time while another sweep moved it', async () => {
    const { session } = await begunPayment(world, account, { expiresMs: startMs + 2 * minuteMs });
    const hidden = { isMoving: false };
    const sweeper = startSweeper(86_400, hidden);
    for (let minute = 0; minute <= 3; minute += 1) await sweeper.at(minute);
    hidden.isMoving = true;
    for (const minute of [3.0001, 4, 4.0001]) await sweeper.at(minute);
    hidden.isMoving = false;
    await sweeper.at(5);
    expect(await dueMinuteOf(session)).toBe(5.5);
  });

  it('finds such a session again in the next minute also where it has seen nothing of its place before, or not for a while', async () => {
    const { session } = await begunPayment(world, account, { expiresMs: startMs + 2 * minuteMs });
    const hidden = { isMoving: false };
    const [first, second] = [startSweeper(), startSweeper(86_400, hidden)];
    await second.at(-20);
    for (const minute of [3, 4]) await first.at(minute);
    hidden.isMoving = true;
    await second.at(4);
    hidden.isMoving = false;
    await second.at(5);
    expect(await dueMinuteOf(session)).toBe(5.5);
    const third = startSweeper(86_400, hidden);
    hidden.isMoving = true;
    await third.at(5);
    hidden.isMoving = false;
    await third.at(6);
    expect(await dueMinuteOf(session)).toBe(6.5);
  });

  it('finds such a session again also where a session that ends later is in its place', async () => {
    const { session } = await begunPayment(world, account, { expiresMs: startMs + 2 * minuteMs });
    const index = { isMoving: false, laterMs: startMs + 8 * minuteMs };
    const sweeper = startSweeper(86_400, index);
    for (let minute = 0; minute <= 3; minute += 1) await sweeper.at(minute);
    index.isMoving = true;
    await sweeper.at(4);
    index.isMoving = false;
    await sweeper.at(5);
    expect(await dueMinuteOf(session)).toBe(5.5);
  });

  it('asks in time about the payment of a session that its merchant has ended', async () => {
    const { session } = await begunPayment(world, account, { expiresMs: startMs + dayMs });
    const sweeper = startSweeper();
    await sweeper.at(0);
    expect(await world.sessions.close(session, startMs + minuteMs)).toBe(true);
    const minutes: number[] = [];
    for (let minute = 1; minute <= 31; minute += 1) {
      const { jobs } = await sweeper.at(minute);
      if (jobs.some((job) => job.kind === 'expire' && job.session === session.id)) minutes.push(minute);
    }
    expect(minutes).toEqual([31]);
  });

  it('looks into an empty place when something may be due there, and into all places where the clock was put ahead', async () => {
    const sweeper = startSweeper();
    const { length } = dueStore(world.table).places;
    expect((await sweeper.at(100 * 1_440)).looks).toHaveLength(length);
    // Into those of sessions twice, because another process may have moved their rows.
    await sweeper.at(100 * 1_440 + 1);
    expect((await sweeper.at(100 * 1_440 + 2)).looks.length).toBeLessThan(length / 2);
    expect((await sweeper.at(200 * 1_440)).looks).toHaveLength(length);
  });
});
