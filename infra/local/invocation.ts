import * as z from 'zod';
import type { Invocation } from './functions.ts';

/** How an event source mapping calls a function. */
export type Invoke = (functionName: string, event: unknown) => Promise<Invocation>;

const BatchResponse = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullish();

/**
 * Which of a batch's items count as failed. A function that reports item failures fails the whole batch by an answer that Lambda cannot
 * read, or by naming an item that is not in it.
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
