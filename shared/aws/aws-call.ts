import * as z from 'zod';

/** No connection was established, also not in the time of the call, so the service received nothing. */
const unreached = z.object({ isConnected: z.literal(false) });

/** The client adds this to an error when there was an answer. */
const answered = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });

/** The outcome of a call that threw without a final refusal: accepted, not accepted, or unknown. */
export const fateOf = (thrown: Error): 'accepted' | 'unavailable' | 'unknown' => {
  const status = answered.safeParse(thrown).data?.$metadata.httpStatusCode;
  // The service accepted it, even if the rest of its answer was lost.
  if (status !== undefined && status < 300) return 'accepted';
  // What stands before the service gave up waiting for it.
  if (status === 502 || status === 504) return 'unknown';
  // Also 500: SES and AWS End User Messaging call it a request that they could not process or complete.
  return status !== undefined || unreached.safeParse(thrown).success ? 'unavailable' : 'unknown';
};
