import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelRuns } from '../../test/model-runs.ts';
import { type Channel, channels, type Status, statuses } from './message.ts';
import { moveBy, moves, permits, type Trigger } from './moves.ts';

const triggers = Object.keys(moves) as Trigger[];

/** The order of statuses (messaging specification, "Message statuses"), independent of the table. */
const ranks: Readonly<Record<Status, number>> = {
  queued: 0,
  sending: 1,
  sent: 2,
  delivered: 3,
  read: 4,
  opened: 4,
  clicked: 5,
  unsubscribed: 6,
  complained: 7,
  bounced: 8,
  failed: 8,
  rejected: 8,
};

const endOf = (channel: Channel, start: Status, triggered: readonly Trigger[]): Status =>
  triggered.reduce<Status>(
    (status, trigger) => (permits(trigger, { channel, status }) ? moveBy(trigger).to : status),
    start,
  );

describe('moves', () => {
  it.each([
    ['email', 'sending', ['providerAccepted', 'deliveryConfirmed', 'opened', 'clicked'], 'clicked'],
    ['email', 'queued', ['pickedUp', 'providerAccepted'], 'sent'],
    ['sms', 'queued', ['pickedUp', 'providerAccepted', 'deliveryConfirmed'], 'delivered'],
    ['whatsapp', 'queued', ['pickedUp', 'providerAccepted', 'deliveryConfirmed', 'read'], 'read'],
    ['email', 'sending', ['providerRefused'], 'failed'],
    ['email', 'sending', ['providerAccepted', 'addressRejected'], 'bounced'],
    ['email', 'sent', ['deliveryConfirmed', 'addressRejected'], 'bounced'],
    ['email', 'sent', ['deliveryConfirmed', 'mailUndelivered'], 'failed'],
    ['email', 'sent', ['contentRejected'], 'rejected'],
    ['sms', 'queued', ['sendFailed'], 'failed'],
    ['sms', 'sent', ['deliveryFailed'], 'failed'],
    ['email', 'clicked', ['optedOut', 'complained'], 'complained'],
    ['whatsapp', 'read', ['optedOut'], 'unsubscribed'],
  ] as const)('%s from %s by %j is %s', (channel, start, triggered, end) => {
    expect(endOf(channel, start, triggered)).toBe(end);
  });

  it.each([
    ['a late delivery', 'email', 'opened', 'deliveryConfirmed'],
    ['a late acceptance', 'email', 'delivered', 'providerAccepted'],
    ['an opening after a click', 'email', 'clicked', 'opened'],
    ['a delivery after a bounce', 'email', 'bounced', 'deliveryConfirmed'],
    ['a bounce of what was opened', 'email', 'opened', 'addressRejected'],
    ['a failure of what was opened', 'email', 'opened', 'mailUndelivered'],
    ['a failure of a text after its delivery', 'sms', 'delivered', 'deliveryFailed'],
    ['an unsubscription after a complaint', 'email', 'complained', 'optedOut'],
    ['a bounce of an sms', 'sms', 'sent', 'addressRejected'],
    ['an opened sms', 'sms', 'delivered', 'opened'],
    ['a failure before the provider of what it accepted', 'sms', 'sent', 'sendFailed'],
    ['a read email', 'email', 'delivered', 'read'],
  ] as const)('there is no such thing as %s', (_, channel, status, trigger) => {
    expect(permits(trigger, { channel, status })).toBe(false);
  });

  it('moves a message whose provider’s answer was lost, and sets the timestamps of the skipped steps', () => {
    expect(permits('deliveryConfirmed', { channel: 'email', status: 'sending' })).toBe(true);
    expect(moveBy('deliveryConfirmed').stamps).toEqual(['sentAt', 'deliveredAt']);
  });

  it.each([
    'deliveryFailed',
    'mailUndelivered',
    'contentRejected',
    'deliveryConfirmed',
    'addressRejected',
    'opened',
    'clicked',
    'read',
    'optedOut',
    'complained',
  ] as const)('a message was sent whose report arrives before its answer: %s', (trigger) => {
    expect(moveBy(trigger).from).toContain('sending');
    expect(moveBy(trigger).stamps).toContain('sentAt');
  });

  it('lets an email go back to wait while it is being sent, and no longer', () => {
    const going = triggers.filter((trigger) => moveBy(trigger).isBack);
    expect(going.map((trigger) => [trigger, moveBy(trigger)])).toEqual([
      ['putOff', { on: ['email'], from: ['sending'], to: 'queued', isBack: true }],
    ]);
  });

  it('never moves back otherwise, for any triggers in any order and repetition', () => {
    const forward = triggers.filter((trigger) => !moveBy(trigger).isBack);
    const sequences = fc.array(fc.constantFrom(...forward), { maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...channels), fc.constantFrom(...statuses), sequences, (channel, start, sequence) => {
        let status = start;
        for (const trigger of sequence) {
          const next = endOf(channel, status, [trigger]);
          expect(next === status || ranks[next] > ranks[status]).toBe(true);
          expect(endOf(channel, next, [trigger])).toBe(next);
          status = next;
        }
      }),
      { numRuns: modelRuns(200) },
    );
  });

  it('ends with failed, bounced, rejected and complained', () => {
    for (const status of ['failed', 'bounced', 'rejected', 'complained'] as const) {
      for (const channel of channels) expect(endOf(channel, status, triggers)).toBe(status);
    }
  });
});
