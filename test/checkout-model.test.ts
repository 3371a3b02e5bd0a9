import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkoutAddresses } from '../shared/checkout/addresses.ts';
import { beginPaymentOf } from '../shared/checkout/begin-payment.ts';
import { expireNow } from '../shared/checkout/expire-now.ts';
import type { GatewayAnswer } from '../shared/checkout/gateway-answer.ts';
import { type FoundPayment, type Payment, type ReviewDecision, reviewDecisions } from '../shared/checkout/payment.ts';
import { paymentResolver } from '../shared/checkout/resolve.ts';
import { statusAt } from '../shared/checkout/session-status.ts';
import { settlementOfCancellation } from '../shared/checkout/settle-payment.ts';
import { settlementOfReview } from '../shared/checkout/settle-review.ts';
import { Fault } from '../shared/kit/fault.ts';
import { newId } from '../shared/kit/id.ts';
import { minuteMs } from '../shared/kit/time-units.ts';
import { paymentFrom, refundFrom, sessionFrom } from '../shared/table/checkout/checkout-items.ts';
import { partitions } from '../shared/table/keys.ts';
import { openSession } from './checkout-fixture.ts';
import {
  addsUp,
  beginsInTime,
  believesOnlyExactMoney,
  completesOnce,
  type Moment,
  paymentsNeverGoBack,
  sessionsNeverGoBack,
  waitsForOne,
} from './checkout-invariants.ts';
import { modelFaults, modelRuns } from './model-runs.ts';
import { paidAnswer, scriptedGateway } from './scripted-gateway.ts';
import { startWorld, type TestAccount, type World } from './world.ts';

// One session under any sequence of tabs, callbacks, polls and clocks, sequential and concurrent, with any answers of the gateway: money is
// never counted twice and never lost.

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const lifetimeMs = 60 * minuteMs;
const wholePartition = { from: 'PAY#', to: 'SESSION' };

type Answered = GatewayAnswer['state'] | 'tampered';

/** One step. `n` chooses one of the begun payments. */
type Step =
  /** `close`: the merchant's server expires the session now. */
  | { readonly does: 'begin' | 'expire' | 'close' }
  | { readonly does: 'cancel'; readonly n: number }
  /** A return, a notification, a poll or a check: all query the gateway, and settle according to its answer. */
  | { readonly does: 'ask'; readonly n: number; readonly answered: Answered }
  /** A review of a payment, which may be held. */
  | { readonly does: 'review'; readonly n: number; readonly decision: ReviewDecision }
  | { readonly does: 'wait'; readonly minutes: number }
  | { readonly does: 'at once'; readonly steps: readonly Step[] };

let world: World;
let patient: TestAccount;
let strict: TestAccount;
beforeAll(async () => {
  world = await startWorld({ faults: modelFaults });
  strict = await world.newAccount();
  patient = await world.newAccount({ settings: { checkout: { acceptsLatePayments: true, sendsReceipts: false } } });
  const credentials = { username: 'u', password: 'p', appKey: 'k', appSecret: 's' };
  const bkash = {
    gatewayCode: 'bkash',
    displayLabel: 'b',
    livemode: true,
    enabled: true,
    sortOrder: 1,
    credentials,
  } as const;
  for (const { ref } of [strict, patient]) await world.methods.replace(ref, [bkash], newId(startMs));
});
afterAll(() => world.close());

/** The session under test, and all statuses that readers have seen. */
const startPlay = async (isPatient: boolean) => {
  const { ref } = isPatient ? patient : strict;
  const session = openSession(ref.id, { id: newId(startMs), livemode: true, expiresMs: startMs + lifetimeMs });
  await world.sessions.create(ref, session, { idempotencyKey: undefined, nowMs: startMs });
  const [method] = await world.methods.list(ref);
  const script = scriptedGateway();
  const addresses = checkoutAddresses('https://pay.example');
  const resolver = paymentResolver({ ...world, findAdapter: async () => script.gateway, addresses });
  const begun: string[] = [];
  const paid = new Set<string>();
  const tampered = new Set<string>();
  let nowMs = startMs;

  const find = async () => {
    const found = await world.sessions.find(session.id);
    if (!found) throw new Error('the session is gone');
    return found;
  };
  const paymentAt = async (n: number): Promise<FoundPayment | undefined> =>
    begun.length === 0 ? undefined : world.payments.find(session.id, begun[n % begun.length] ?? '');

  const begin = async () => {
    const paymentId = newId(nowMs);
    const wish = { acceptanceMethodId: method?.id ?? '', paymentId };
    try {
      await beginPaymentOf({ ...world, resolver, clock: () => nowMs })(await find(), wish);
      begun.push(paymentId);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      expect(['session_not_open', 'payment_in_progress']).toContain(thrown.code);
    }
  };

  const answerOf = (answered: Answered, payment: Payment): GatewayAnswer => {
    if (answered === 'tampered') return { ...paidAnswer(payment), amountMinor: payment.amountMinor - 1 };
    return answered === 'succeeded' ? paidAnswer(payment) : { state: answered };
  };

  const ask = async (n: number, answered: Answered) => {
    const found = await paymentAt(n);
    if (!found) return;
    const { payment } = found;
    await resolver.applyAnswer(found, answerOf(answered, payment), nowMs);
    if (answered === 'succeeded') paid.add(payment.id);
    if (answered === 'tampered') tampered.add(payment.id);
  };

  const cancel = async (n: number) => {
    const found = await paymentAt(n);
    const settlement = found && settlementOfCancellation(found, nowMs);
    if (settlement) await world.payments.saveSettlement(found, settlement);
  };

  const review = async (n: number, decision: ReviewDecision) => {
    const found = await paymentAt(n);
    const facts = found && { ...found, acceptsLatePayments: isPatient, refundId: newId(nowMs), nowMs };
    const settlement = facts && settlementOfReview(facts, { decision, reason: undefined });
    if (settlement) await world.payments.saveSettlement(found, settlement);
  };

  const expire = async () => {
    const { session: now } = await find();
    if (now.livePaymentId === undefined) await world.sessions.expire(now, nowMs);
    else if (statusAt(now, nowMs).status === 'EXPIRED') await ask(begun.indexOf(now.livePaymentId), 'pending');
  };

  const close = async () => {
    try {
      await expireNow({ ...world, resolver, clock: () => nowMs })(await find());
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      expect(thrown.code).toBe('session_not_open');
    }
  };

  const take = async (step: Step): Promise<void> => {
    switch (step.does) {
      case 'begin':
        return begin();
      case 'ask':
        return ask(step.n, step.answered);
      case 'cancel':
        return cancel(step.n);
      case 'review':
        return review(step.n, step.decision);
      case 'expire':
        return expire();
      case 'close':
        return close();
      case 'wait':
        nowMs += step.minutes * minuteMs;
        return;
      case 'at once':
        await Promise.all(step.steps.map(take));
    }
  };

  const look = async (): Promise<Moment> => {
    const items = await world.table.query(partitions.checkout(session.id), { ...wholePartition, newestFirst: false });
    const cipher = await world.vault.unlock(ref);
    const of = (entity: string) => items.filter((item) => item['entity'] === entity);
    const [body] = of('checkout-session-body');
    const [kept] = of('checkout-session').map((row) => sessionFrom(cipher, row, body));
    if (!kept) throw new Error('the session is gone');
    return {
      session: kept,
      view: statusAt(kept, nowMs),
      payments: of('payment').map((item) => paymentFrom(cipher, item)),
      refunds: of('refund').map((item) => refundFrom(cipher, item)),
    };
  };

  let before = await look();
  const check = async () => {
    const now = await look();
    completesOnce(now);
    addsUp(now);
    believesOnlyExactMoney(now, { paid, tampered });
    paymentsNeverGoBack(before, now);
    sessionsNeverGoBack(before, now, isPatient);
    waitsForOne(now);
    beginsInTime(now);
    before = now;
  };

  return { take, check };
};

/** Mostly the first payments, so that they are queried repeatedly. */
const anyPayment = fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(9) });
const anyAnswered = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Answered>('succeeded') },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Answered>('failed', 'cancelled', 'expired', 'pending', 'unknown', 'tampered'),
  },
);
const minutes = fc.constantFrom(0.1, 29, 31, 60, 600);
const ask = fc.record({ does: fc.constant('ask' as const), n: anyPayment, answered: anyAnswered });
const review = fc.record({
  does: fc.constant('review' as const),
  n: anyPayment,
  decision: fc.constantFrom(...reviewDecisions),
});
const simple = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ does: 'begin' }) },
  { weight: 6, arbitrary: ask },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const), n: anyPayment }) },
  { weight: 2, arbitrary: review },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'expire' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'close' }) },
);
const several = fc.oneof(
  fc.array(simple, { minLength: 2, maxLength: 6 }),
  // Held money, and several concurrent reviews.
  fc.tuple(ask, review, review).map(([one, ...reviews]) => [{ ...one, answered: 'tampered' as const }, ...reviews]),
  // One outcome on several ways at once: the payer's return, a notification and a poll.
  ask.map((one) => [one, one, one]),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: simple },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wait' as const), minutes }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('at once' as const), steps: several }) },
);

it('a session completes once, refunds surplus money, and never leaves a final status, under any sequence', {
  timeout: 3_600_000,
}, async () => {
  const play = async (isPatient: boolean, steps: readonly Step[]) => {
    const { take, check } = await startPlay(isPatient);
    for (const each of steps) {
      await take(each);
      await check();
    }
  };
  const sequence = fc.array(step, { minLength: 1, maxLength: 20, size: 'max' });
  await fc.assert(fc.asyncProperty(fc.boolean(), sequence, play), { numRuns: modelRuns(8), endOnFailure: true });
});
