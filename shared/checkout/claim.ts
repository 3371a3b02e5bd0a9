/** The right to make one call to a gateway, and the fencing token of its holder: what a run that has lost its claim says is not written. */
export interface Claim {
  readonly token: string;
  readonly untilMs: number;
}

/** Over twice a function's timeout, so its holder has ended, and shorter than the time after which its job returns. */
export const claimMs = 60_000;

export const newClaim = (token: string, nowMs: number): Claim => ({ token, untilMs: nowMs + claimMs });

/** Whether the holder has ended, so that its call may be queried at the gateway, and repeated if the gateway knows none. */
export const isOver = ({ untilMs }: Claim, nowMs: number): boolean => untilMs <= nowMs;

/** How long a call's outcome may stay unknown before a review. */
export const unclearMs = 15 * 60_000;

/** Whether the call was made so long ago that what the gateway does not list has not happened. */
export const isLongMade = ({ untilMs }: Claim, nowMs: number): boolean => untilMs - claimMs + unclearMs <= nowMs;
