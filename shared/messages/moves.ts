import type { Status } from './message.ts';

interface Move {
  readonly from: readonly Status[];
  readonly to: Status;
  /** The timestamp that the move sets. */
  readonly stamps?: 'sentAt' | 'deliveredAt' | 'failedAt';
}

/** Every legal move of a message by what triggers it (specification, "Message statuses"). From any other status the trigger changes nothing. */
export const moves = {
  providerAccepted: { from: ['sending'], to: 'sent', stamps: 'sentAt' },
  providerRefused: { from: ['sending'], to: 'failed', stamps: 'failedAt' },
  sendInterrupted: { from: ['sending'], to: 'failed', stamps: 'failedAt' },
} as const satisfies Record<string, Move>;

export type Trigger = keyof typeof moves;
