import * as z from 'zod';
import type { Invocation } from './function-instance.ts';

/** How an event source mapping calls a function. */
export type Invoke = (functionName: string, event: unknown) => Promise<Invocation>;

const BatchResponse = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullish();

/**
 * The failed items of a batch. With item failures reported, the whole batch fails when Lambda cannot read the answer or when it names
 * an item that is not in the batch.
 */
export const failedItems = (
  invocation: Invocation,
  items: readonly string[],
  { reportBatchItemFailures }: { readonly reportBatchItemFailures: boolean },
): ReadonlySet<string> => {
  const all = new Set(items);
  if (!invocation.ok) return all;
  if (!reportBatchItemFailures) return new Set();
  const response = BatchResponse.safeParse(invocation.payload);
  const named = new Set(response.data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  return response.success && [...named].every((item) => all.has(item)) ? named : all;
};
