/** An answer as it was given, to be given again byte for byte. */
export interface StoredReply {
  readonly status: number;
  readonly body: string;
}

/** The right to carry out one request under its key. Only the holder of the token may settle it. */
export interface Claim {
  readonly key: string;
  readonly token: string;
  /** When the key is forgotten, in seconds since 1970. */
  readonly expiresAt: number;
  /** What the request creates has this id. */
  readonly newId: string;
  /** An earlier request under the key ended without an answer. It may have written something, under this same `newId`. */
  readonly isResumed: boolean;
}

export interface WantedClaim {
  readonly key: string;
  readonly endpoint: string;
  /** The id of what this request creates, unless it resumes an earlier one. No other request has it, so it is the claim's token as well. */
  readonly newId: string;
  /** When the function that asks can no longer be running. */
  readonly endsMs: number;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'replay'; readonly reply: StoredReply }
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'other-endpoint' };

type Held = Pick<Claim, 'key' | 'token'>;

/** Where a caller's idempotency keys are kept. */
export interface IdempotencyKeys<Who> {
  claim(who: Who, wanted: WantedClaim, nowMs: number): Promise<ClaimOutcome>;
  complete(who: Who, claim: Pick<Claim, 'key' | 'token' | 'expiresAt'>, reply: StoredReply): Promise<void>;
  /** Frees the key, as if it had not been used. */
  release(who: Who, claim: Held): Promise<void>;
  /** Ends the claim and keeps its `newId`: the next request under the key resumes this one at once. */
  end(who: Who, claim: Held): Promise<void>;
}
