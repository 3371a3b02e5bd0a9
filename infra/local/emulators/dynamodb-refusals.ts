import type { LoadKind } from './dynamodb-meter.ts';
import type { Load } from './dynamodb-units.ts';

export type Body = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: Body;
}

export const conflictText = 'Transaction is ongoing for the item';
const throttledText =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key.';

interface Reason {
  readonly Code: string;
  readonly Message?: string;
}

/** Undefined when nothing stands against the transaction. */
export const reasonsOf = (
  conflicts: readonly boolean[],
  isOver: (n: number) => boolean,
): readonly Reason[] | undefined => {
  const reasons = conflicts.map((isConflict, n): Reason => {
    if (isConflict) return { Code: 'TransactionConflict', Message: conflictText };
    return isOver(n) ? { Code: 'ThrottlingError', Message: throttledText } : { Code: 'None' };
  });
  return reasons.some(({ Code }) => Code !== 'None') ? reasons : undefined;
};

export const refusal = (type: string, message: string, more: Body = {}): Answer => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...more },
});

export const cancelled = (CancellationReasons: readonly Reason[]): Answer => {
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return refusal('TransactionCanceledException', message, { Message: message, CancellationReasons });
};

/** A table on demand answers so, and names the limit. */
export const throttled = (kind: LoadKind, { index, partition }: Load): Answer =>
  refusal('ThrottlingException', throttledText, {
    throttlingReasons: [
      { reason: `${index === undefined ? 'Table' : 'Index'}${kind}KeyRangeThroughputExceeded`, resource: partition },
    ],
  });
