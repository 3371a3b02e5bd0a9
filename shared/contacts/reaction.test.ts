import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statuses } from '../messages/message.ts';
import { contactStatuses, detailsOf, newContact, withStatus } from './contact.ts';
import { afterRequest, reacted } from './reaction.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const contact = newContact('01932f6e-8c00-7000-8000-000000000001', detailsOf({ email: 'ada@example.com' }), nowMs);

describe('the effect of a message on its contact', () => {
  it.each([
    ['delivered', 51, 'active'],
    ['opened', 55, 'active'],
    ['clicked', 60, 'active'],
    ['read', 55, 'active'],
    ['bounced', 25, 'bounced'],
    ['complained', 0, 'complained'],
    ['unsubscribed', 50, 'unsubscribed'],
    ['rejected', 50, 'active'],
    ['failed', 50, 'active'],
  ] as const)('%s: score %i, %s', (to, score, status) => {
    expect(reacted(contact, to, nowMs)).toMatchObject({ score, status });
  });

  it('never undoes an opt-out', () => {
    expect(reacted({ ...contact, status: 'unsubscribed' }, 'bounced', nowMs).status).toBe('unsubscribed');
    expect(reacted({ ...contact, status: 'complained' }, 'unsubscribed', nowMs).status).toBe('complained');
    expect(reacted({ ...contact, status: 'unsubscribed' }, 'complained', nowMs).status).toBe('complained');
  });

  it('ends consents by every unsubscription, whatever the status of the contact', () => {
    for (const status of contactStatuses)
      expect(reacted({ ...contact, status }, 'unsubscribed', nowMs).unsubscribedAt).toBe('2026-11-20T12:00:00.000Z');
  });

  it('is the same object when nothing changes', () => {
    const full = { ...contact, score: 100 };
    expect(reacted(full, 'delivered', nowMs)).toBe(full);
    expect(reacted(contact, 'sent', nowMs)).toBe(contact);
  });

  it('keeps the score between 0 and 100 and never reactivates a contact', () => {
    const sequences = fc.array(fc.constantFrom(...statuses), { maxLength: 50 });
    fc.assert(
      fc.property(fc.constantFrom(...contactStatuses), sequences, (status, sequence) => {
        const after = sequence.reduce((each, to) => reacted(each, to, nowMs), { ...contact, status });
        expect(after.score).toBeGreaterThanOrEqual(0);
        expect(after.score).toBeLessThanOrEqual(100);
        if (status !== 'active') expect(after.status).not.toBe('active');
      }),
    );
  });
});

describe('what a contact asks for', () => {
  it.each([
    ['stop', 'active', 'unsubscribed'],
    ['stop', 'quarantined', 'quarantined'],
    ['stop', 'bounced', 'bounced'],
    ['stop', 'complained', 'complained'],
    ['start', 'unsubscribed', 'active'],
    ['start', 'quarantined', 'quarantined'],
    ['start', 'bounced', 'bounced'],
    ['start', 'complained', 'complained'],
  ] as const)('%s makes one that is %s %s', (asked, status, after) => {
    expect(afterRequest({ ...contact, status }, asked, nowMs).status).toBe(after);
  });

  it('stays unsubscribed by a START of before it', () => {
    const gone = withStatus(contact, 'unsubscribed', nowMs);
    for (const atMs of [nowMs - 1, nowMs]) expect(afterRequest(gone, 'start', atMs)).toBe(gone);
    expect(afterRequest(gone, 'start', nowMs + 1).status).toBe('active');
  });

  it.each(['active', 'quarantined', 'bounced', 'unsubscribed'] as const)(
    'stays unsubscribed by a START, where one click unsubscribed it while it was %s',
    (status) => {
      const gone = reacted({ ...contact, status }, 'unsubscribed', nowMs);
      expect(afterRequest(gone, 'start', nowMs + 1)).toBe(gone);
      expect(gone.status).toBe('unsubscribed');
    },
  );

  it('keeps when it last unsubscribed, which ends consents, where a STOP of before it arrives late', () => {
    const activeAgain = withStatus(reacted(contact, 'unsubscribed', nowMs), 'active', nowMs + 1);
    expect(afterRequest(activeAgain, 'stop', nowMs - 1)).toMatchObject({
      status: 'unsubscribed',
      unsubscribedAt: '2026-11-20T12:00:00.000Z',
      hasLeft: true,
    });
  });

  it('is active again by a START after a STOP, where an operator had made it active after one click', () => {
    const activeAgain = withStatus(reacted(contact, 'unsubscribed', nowMs), 'active', nowMs + 1);
    const stopped = afterRequest(activeAgain, 'stop', nowMs + 2);
    expect(stopped).toMatchObject({ status: 'unsubscribed', unsubscribedAt: '2026-11-20T12:00:00.002Z' });
    expect(afterRequest(stopped, 'start', nowMs + 3).status).toBe('active');
    const leftAgain = reacted(stopped, 'unsubscribed', nowMs + 3);
    expect(afterRequest(leftAgain, 'start', nowMs + 4)).toBe(leftAgain);
  });

  it('is the same object when the request changes nothing', () => {
    const stopped = afterRequest(contact, 'stop', nowMs);
    expect(afterRequest(stopped, 'stop', nowMs)).toBe(stopped);
    expect(afterRequest(contact, 'start', nowMs)).toBe(contact);
  });
});
