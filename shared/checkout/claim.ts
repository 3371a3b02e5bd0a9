/** The right to make one call to a gateway, and the fencing token of its holder: what a run that has lost its claim says is not written. */
export interface Claim {
  readonly token: string;
  readonly untilMs: number;
}

/** Over twice as long as a function may run, so its holder is dead when it ends, and shorter than the time after which its job comes again. */
const claimMs = 60_000;

export const newClaim = (token: string, nowMs: number): Claim => ({ token, untilMs: nowMs + claimMs });

/** Whether the holder is dead, so that the gateway may be asked what has become of its call, and called again if it knows of none. */
export const isOver = ({ untilMs }: Claim, nowMs: number): boolean => untilMs <= nowMs;

/** How long the gateway may leave open what has become of a call, before a person must look. */
export const unclearMs = 15 * 60_000;
