/**
 * The answer of a call that is safe to repeat, repeated as its client would. Of many calls at once, a busy machine may answer some with 5xx, also
 * when they have done their work: they meet at one item for longer than a function retries.
 */
export const decided = async <Reply extends { readonly status: number }>(
  call: () => Promise<Reply>,
): Promise<Reply> => {
  const reply = await call();
  return reply.status >= 500 ? decided(call) : reply;
};
