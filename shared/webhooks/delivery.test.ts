import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isId, newId, timeOfId } from '../kit/id.ts';
import { type Answer, type Delivery, deliveryId, isSuccess, newDelivery, withAttempt } from './delivery.ts';

const answer = (statusCode: number): Answer => ({ statusCode, responseTime: 1, responseBody: '' });
const begun = newDelivery({ id: newId(0), webhookId: newId(1), event: 'message.sent', payload: '{}' });

/** A delivery after one more attempt. */
const answered = (delivery: Delivery, statusCode: number, mostAttempts = 5): Delivery =>
  withAttempt(delivery, { ...answer(statusCode), startedMs: delivery.attemptsMade }, mostAttempts);
const again = (delivery: Delivery): Delivery => ({
  ...delivery,
  state: 'pending',
  earlierAttempts: delivery.attemptsMade,
});

describe('a delivery', () => {
  it('succeeds with any status from 200 to 299 and with no other', () => {
    for (const status of [200, 201, 204, 226, 299]) expect(isSuccess(answer(status))).toBe(true);
    for (const status of [0, 100, 199, 300, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503])
      expect(isSuccess(answer(status))).toBe(false);
  });

  it('stays pending until the fifth attempt, which ends it', () => {
    const states = [500, 0, 302, 404, 500].map((_, n, statuses) =>
      statuses.slice(0, n + 1).reduce((delivery, status) => answered(delivery, status), begun),
    );
    expect(states.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending', 'pending', 'failed']);
    expect(states.map(({ countedAs }) => countedAs)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'totalFailed',
    ]);
  });

  it('ends with its first success', () => {
    const delivery = answered(answered(begun, 500), 204);
    expect([delivery.state, delivery.countedAs]).toEqual(['succeeded', 'totalSent']);
  });

  it('has five attempts again when it is sent again, and moves to the other total only by succeeding', () => {
    const failed = [500, 500, 500, 500, 500].reduce((delivery, status) => answered(delivery, status), begun);
    const retried = [500, 500, 500, 500].reduce((delivery, status) => answered(delivery, status), again(failed));
    expect([retried.state, retried.countedAs]).toEqual(['pending', 'totalFailed']);
    expect(answered(retried, 500)).toMatchObject({ state: 'failed', countedAs: 'totalFailed' });
    const mended = answered(retried, 200);
    expect(mended).toMatchObject({ state: 'succeeded', countedAs: 'totalSent' });
    const broken = [500, 500, 500, 500, 500].reduce((delivery, status) => answered(delivery, status), again(mended));
    expect(broken).toMatchObject({ state: 'failed', countedAs: 'totalSent' });
  });

  it('is in one total when it has ended, regardless of the answers and however often it is sent again', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(200, 500), { maxLength: 40 }), (statuses) => {
        let delivery = begun;
        for (const status of statuses)
          delivery = answered(delivery.state === 'pending' ? delivery : again(delivery), status);
        const hasSucceeded = statuses.includes(200);
        const hasEnded = delivery.state !== 'pending' || delivery.earlierAttempts > 0;
        const total = hasSucceeded ? 'totalSent' : 'totalFailed';
        expect(delivery.countedAs).toBe(hasEnded ? total : undefined);
      }),
    );
  });
});

describe('the record of a delivery', () => {
  it('keeps the first attempt and the last nine of however many, each with its number', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(200, 500), { maxLength: 40 }), (statuses) => {
        let delivery = begun;
        for (const status of statuses)
          delivery = answered(delivery.state === 'pending' ? delivery : again(delivery), status);
        const numbers = statuses.map((_, n) => n + 1);
        const expected = numbers.length <= 10 ? numbers : [1, ...numbers.slice(-9)];
        expect(delivery.attemptsMade).toBe(statuses.length);
        expect(delivery.attempts.map(({ number }) => number)).toEqual(expected);
        for (const { number, statusCode } of delivery.attempts) expect(statusCode).toBe(statuses[number - 1]);
      }),
    );
  });

  it('stays cancelled when the attempt that was under way fails, and counts when that succeeds or was the last', () => {
    const cancelled: Delivery = { ...begun, state: 'cancelled' };
    expect(answered(cancelled, 500)).toMatchObject({ state: 'cancelled', countedAs: undefined, attemptsMade: 1 });
    expect(answered(cancelled, 200)).toMatchObject({ state: 'succeeded', countedAs: 'totalSent' });
    expect(answered(cancelled, 500, 1)).toMatchObject({ state: 'failed', countedAs: 'totalFailed' });
  });
});

describe('the id of a delivery', () => {
  it('is the same for the same event and subscription, and another for every other', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.nat(), (event, webhook, other, ms) => {
        const id = deliveryId(event, webhook, ms);
        expect(isId(id)).toBe(true);
        expect(timeOfId(id)).toBe(ms);
        expect(deliveryId(event, webhook, ms)).toBe(id);
        fc.pre(other !== webhook);
        expect(deliveryId(event, other, ms)).not.toBe(id);
      }),
    );
  });
});
