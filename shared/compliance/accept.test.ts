import { describe, expect, it } from 'vitest';
import { newAccountSettings } from '../accounts/account.ts';
import { newId } from '../kit/id.ts';
import { newEmail } from '../messages/new-message.ts';
import { accept } from './accept.ts';
import type { SendContext } from './send-context.ts';

// The order of the steps. What each of them means under concurrency is tested with the table, by `races.test.ts` of `send-message`.

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const account = { id: newId(nowMs), sealedKey: '' };
const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(nowMs));
const draft = { message, contact: { email: 'ada@example.com' } };
const context: SendContext = {
  settings: newAccountSettings('Shop'),
  holder: undefined,
  optOut: undefined,
  windowOpenUntilMs: undefined,
};
const retired: SendContext = { ...context, holder: { contactId: 'contact', isRetired: true } };
const ofRetired = { blocked: { by: 'retired', reason: 'The contact with this email is retired.' } };

type Outcome = 'accepted' | 'exists' | 'cancelled' | 'unfunded' | 'stale' | Error;

/** A table whose writes have these outcomes, one after the other, and which is read again as `latest`. */
const tableWith = ({ outcomes = [] as Outcome[], latest = context, isKnown = false, isWithdrawable = true } = {}) => {
  const steps: string[] = [];
  const needs = {
    sends: {
      read: async () => {
        steps.push('read');
        return latest;
      },
      write: async () => {
        steps.push('write');
        const outcome = outcomes.shift() ?? 'accepted';
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    },
    messages: {
      find: async () => (isKnown ? message : undefined),
      withdraw: async (_account: object, _message: object, run: string) => {
        steps.push(`withdraw of ${run}`);
        if (!isWithdrawable) throw new Error('the table is away');
        return true;
      },
    },
  };
  return {
    steps,
    run: ({ run, ...wishes }: { readonly context?: SendContext; readonly run?: string } = {}) =>
      accept(needs, { account, draft: { ...draft, run }, context, nowMs, ...wishes }),
  };
};

describe('accepting a message', () => {
  it('writes once what no rule blocks', async () => {
    const { run, steps } = tableWith();
    expect(await run()).toBe('accepted');
    expect(steps).toEqual(['write']);
  });

  it('writes nothing when a rule blocks the message, and gives the rule', async () => {
    const { run, steps } = tableWith();
    expect(await run({ context: retired })).toEqual(ofRetired);
    expect(steps).toEqual([]);
  });

  it('gives `exists` for a blocked message that an earlier run has accepted', async () => {
    expect(await tableWith({ isKnown: true }).run({ context: retired })).toBe('exists');
  });

  it.each(['exists', 'cancelled', 'unfunded'] as const)('gives a write’s refusal as %s', async (outcome) => {
    const { run, steps } = tableWith({ outcomes: [outcome] });
    expect(await run({ run: 'this run' })).toBe(outcome);
    expect(steps).toEqual(['write']);
  });

  it('reads and judges again when something has changed before the write, as often as it happens', async () => {
    const { run, steps } = tableWith({ outcomes: ['stale', 'stale', 'accepted'] });
    expect(await run()).toBe('accepted');
    expect(steps).toEqual(['write', 'read', 'write', 'read', 'write']);
  });

  it('blocks a message by what has changed before the write', async () => {
    const { run, steps } = tableWith({ outcomes: ['stale'], latest: retired });
    expect(await run()).toEqual(ofRetired);
    expect(steps).toEqual(['write', 'read']);
  });
});

describe('accepting a message without an answer from the table', () => {
  const lost = new Error('the answer was lost');

  it('withdraws the message if this run has accepted it and sends it, and fails', async () => {
    const { run, steps } = tableWith({ outcomes: [lost] });
    await expect(run({ run: 'this run' })).rejects.toBe(lost);
    expect(steps).toEqual(['write', 'withdraw of this run']);
  });

  it('leaves the message alone if it is sent later, and fails', async () => {
    const { run, steps } = tableWith({ outcomes: [lost] });
    await expect(run()).rejects.toBe(lost);
    expect(steps).toEqual(['write']);
  });

  it('fails with the first error when the withdrawal fails too', async () => {
    const { run } = tableWith({ outcomes: [lost], isWithdrawable: false });
    await expect(run({ run: 'this run' })).rejects.toBe(lost);
  });
});
