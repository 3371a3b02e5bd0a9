import { hourMs } from '../../shared/kit/time-units.ts';
import type { Invariant } from './invariants.ts';
import { messageInvariants } from './message-invariants.ts';

/** Between two tries there are minutes, and jobs of a storm come back. */
const mostLateMs = 1.5 * hourMs;
/** Who waits for a provider for less than a day does not end by that. */
const givenUp: readonly (string | null)[] = ['provider_unavailable', 'expired'];

/** What holds of messages whatever their providers do, and however long. */
export const lastingMessageInvariants: readonly Invariant[] = messageInvariants.filter(({ name }) =>
  [
    'every message reaches a final status',
    'statuses move along the table only',
    'an email is sent once at most, and was sent if it says so',
    'a text was taken by its provider if it says so',
    'a message that was given back was not taken by its provider',
    'a message that ended unsent is given back',
    'credits are never below zero',
    'credits are what was granted less what messages cost, and equal the ledger',
  ].includes(name),
);

export const pausedSendingInvariants: readonly Invariant[] = [
  {
    name: 'an email that is asked for while SES takes none is sent once when it does',
    violations: ({ days, facts, messaging: { mails } }) =>
      (days?.pausedSending.asked ?? []).flatMap(({ id, answers }) => {
        const rows = facts.flatMap(({ messages }) => messages).filter(({ request }) => request === id);
        const [{ status } = { status: 0 }] = answers;
        if (status !== 201 || rows.length !== 1) return [`${id}: answered ${status}, ${rows.length} rows`];
        return rows.flatMap(({ message }) => {
          const [taken] = mails.filter((one) => one.message === message.id);
          const isLate = taken !== undefined && taken.atMs > (days?.pausedSending.pause.toMs ?? 0) + mostLateMs;
          const isLost = taken === undefined && givenUp.includes(message.failureCode);
          return isLate || isLost
            ? [`${id} (${message.id}) is ${message.status} ${message.failureCode}, and was sent at ${taken?.atMs}`]
            : [];
        });
      }),
  },
];
