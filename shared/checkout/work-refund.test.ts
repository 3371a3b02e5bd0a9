import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answeredPayment } from '../../test/checkout-fixture.ts';
import { linesOf } from '../../test/log-lines.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import { newId } from '../kit/id.ts';
import { checkoutAddresses } from './addresses.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import type { FoundPayment } from './payment.ts';
import { newRefund } from './refund.ts';
import { refundWorker } from './work-refund.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const askedFor = async (amountMinor = 250_000, of?: FoundPayment) => {
  const paid = of ?? (await answeredPayment(world, account, { state: 'succeeded' }));
  const nowMs = Date.now();
  const refund = newRefund(paid.payment, { id: newId(nowMs), amountMinor, reason: undefined, nowMs });
  await world.refunds.add(paid, refund);
  const job = { session: refund.sessionId, refund: refund.id };
  const now = async () => (await world.refunds.find(job.session, job.refund)) ?? expect.fail('no refund');
  return { job, now, paid };
};

/** A worker whose gateway answers these, one after the other, and notes what it was asked. */
const worker = (...answers: GatewayAnswer[]) => {
  const asked: string[] = [];
  const answer = (what: string) => async (): Promise<GatewayAnswer> => {
    asked.push(what);
    return answers.shift() ?? { state: 'unknown' };
  };
  const findAdapter = async () => ({ refund: answer('refund'), queryRefund: answer('query') });
  const addresses = checkoutAddresses('https://api.example.com');
  const work = refundWorker({ refunds: world.refunds, findAdapter, addresses });
  return {
    asked,
    work: (job: Parameters<typeof work>[0], afterSeconds = 0) => work(job, Date.now() + afterSeconds * 1_000),
  };
};

describe('a refund', () => {
  it('succeeds when the gateway has paid it back, and is not asked for again', async () => {
    const { job, now } = await askedFor();
    const { work, asked } = worker({ state: 'succeeded', amountMinor: 250_000, reference: 'r1' });
    expect(await work(job)).toBe('over');
    expect(await work(job)).toBe('over');
    expect(asked).toEqual(['refund']);
    expect((await now()).refund).toMatchObject({ status: 'SUCCEEDED', reference: 'r1' });
    expect((await now()).payment.refundableMinor).toBe(350_000);
  });

  it('is not asked for while its payment is read as it was before the money came', async () => {
    const { job, now } = await askedFor();
    const found = await now();
    const early = { ...found, payment: { ...found.payment, status: 'PENDING' as const, transactionId: undefined } };
    const { work, asked } = worker({ state: 'succeeded', reference: 'r1' });
    const torn = refundWorker({
      refunds: { ...world.refunds, find: async () => early },
      findAdapter: async () => expect.fail('the gateway was asked'),
      addresses: checkoutAddresses('https://api.example.com'),
    });
    expect(await torn(job, Date.now())).toBe('open');
    expect([await work(job), asked]).toEqual(['over', ['refund']]);
  });

  it('that fails gives its amount back to what can be refunded', async () => {
    const { job, now } = await askedFor();
    expect(await worker({ state: 'failed', reason: 'window passed' }).work(job)).toBe('over');
    expect((await now()).refund).toMatchObject({ status: 'FAILED', failureReason: 'window passed' });
    expect((await now()).payment.refundableMinor).toBe(600_000);
  });

  it('whose answer is unclear is only asked about from then on', async () => {
    const { job, now } = await askedFor();
    const { work, asked } = worker({ state: 'unknown' }, { state: 'pending', reference: 'r2' }, { state: 'succeeded' });
    expect([await work(job), await work(job), await work(job)]).toEqual(['open', 'open', 'over']);
    expect(asked).toEqual(['refund', 'query', 'query']);
    expect((await now()).refund).toMatchObject({ status: 'SUCCEEDED', reference: 'r2' });
  });

  it('that certainly never reached the gateway is asked for again', async () => {
    const { job } = await askedFor();
    const { work, asked } = worker({ state: 'unknown', mayRetry: true }, { state: 'succeeded' });
    expect([await work(job), await work(job)]).toEqual(['open', 'over']);
    expect(asked).toEqual(['refund', 'refund']);
  });

  it('whose request was lost is asked for again as one that may have been made', async () => {
    const { job, now } = await askedFor();
    const { work, asked } = worker({ state: 'unknown' }, { state: 'unknown', mayRetry: true });
    expect(await work(job)).toBe('open');
    expect((await now()).refund.wasRequested).toBe(false);
    expect(await work(job, 61)).toBe('again');
    expect((await now()).refund).toMatchObject({ wasRequested: true, claim: undefined });
    await work(job, 61);
    expect(asked).toEqual(['refund', 'query', 'refund']);
  });

  it('whose gateway does not list it is asked for again 15 minutes after each request, because the list may be late', async () => {
    const { job, now } = await askedFor();
    const lost: GatewayAnswer = { state: 'unknown' };
    const unlisted: GatewayAnswer = { state: 'unknown', isUnlisted: true };
    const { work, asked } = worker(lost, unlisted, unlisted, lost, unlisted, { state: 'succeeded', reference: 'r6' });
    const outcomes: string[] = [];
    for (const seconds of [0, 61, 901, 901, 1_790, 3_600]) outcomes.push(await work(job, seconds));
    expect(outcomes).toEqual(['open', 'open', 'again', 'open', 'open', 'over']);
    expect(asked).toEqual(['refund', 'query', 'query', 'refund', 'query', 'query']);
    expect((await now()).refund).toMatchObject({ status: 'SUCCEEDED', reference: 'r6' });
  });

  it('is not settled by the money of another one that was made while the gateway was asked', async () => {
    const one = await askedFor();
    const other = await askedFor(250_000, one.paid);
    const money: GatewayAnswer = { state: 'succeeded', amountMinor: 250_000, reference: 'r5' };
    // The first request is lost. Its gateway has no name of ours for a refund, and finds the money of the other one.
    const refund = async (): Promise<GatewayAnswer> => {
      expect(await worker(money).work(other.job)).toBe('over');
      return money;
    };
    const findAdapter = async () => ({ refund, queryRefund: refund });
    const addresses = checkoutAddresses('https://api.example.com');
    const work = refundWorker({ refunds: world.refunds, findAdapter, addresses });
    expect(await work(one.job, Date.now())).toBe('open');
    expect([(await one.now()).refund.status, (await other.now()).refund.status]).toEqual(['PENDING', 'SUCCEEDED']);
  });

  it('is asked for once by workers side by side', async () => {
    const { job } = await askedFor();
    const { work, asked } = worker();
    await Promise.all(Array.from({ length: 10 }, () => work(job)));
    expect(asked.filter((what) => what === 'refund')).toHaveLength(1);
  });

  it('of another amount, currency or name than asked counts as nothing, and an operator reviews it', async () => {
    const { job, now, paid } = await askedFor();
    const other = newRefund(paid.payment, {
      id: newId(Date.now()),
      amountMinor: 250_000,
      reason: undefined,
      nowMs: Date.now(),
    });
    await world.refunds.add(paid, other);
    await worker({ state: 'succeeded', reference: 'taken' }).work({ session: other.sessionId, refund: other.id });
    const { work } = worker(
      { state: 'succeeded', amountMinor: 250_001 },
      { state: 'succeeded', amountMinor: 250_000, currency: 'USD' },
      { state: 'succeeded', amountMinor: 250_000, reference: 'taken' },
    );
    const lines = await linesOf(async () => {
      expect([await work(job), await work(job), await work(job)]).toEqual(['open', 'open', 'open']);
    });
    const review = { message: 'another refund than was asked for was reported', needsPerson: true };
    expect(lines).toMatchObject([review, review, review]);
    expect((await now()).refund.status).toBe('PENDING');
  });

  it('that another run asks for meanwhile is not settled by what the first one says', async () => {
    const { job, now } = await askedFor();
    const takeOver = async (): Promise<GatewayAnswer> => {
      const { refund } = await now();
      if (refund.claim) await world.refunds.release(refund, refund.claim);
      await world.refunds.claim(refund, Date.now());
      return { state: 'failed', reason: 'late' };
    };
    const findAdapter = async () => ({ refund: takeOver, queryRefund: takeOver });
    const addresses = checkoutAddresses('https://api.example.com');
    expect(await refundWorker({ refunds: world.refunds, findAdapter, addresses })(job, Date.now())).toBe('open');
    expect((await now()).refund.status).toBe('PENDING');
    expect((await now()).payment.refundableMinor).toBe(350_000);
  });

  it('waits while its account has no such gateway', async () => {
    const { job } = await askedFor();
    const addresses = checkoutAddresses('https://api.example.com');
    const work = refundWorker({ refunds: world.refunds, findAdapter: async () => undefined, addresses });
    expect(await work(job, Date.now())).toBe('open');
  });

  it('of a session that is not there is nothing to do', async () => {
    const id = newId(Date.now());
    expect(await worker().work({ session: id, refund: id })).toBe('over');
  });
});
