/**
 * Of what earlier rotations have replaced, the newest first, the one that stays valid until its own time beside what is replaced now: a caller that
 * repeats a rotation may not have received the first response. So three are valid at most. Without an overlap, all earlier ones end now.
 */
export const staysValid = <T extends { readonly validUntilMs?: number }>(
  earlier: readonly T[],
  previousValidUntilMs: number,
  nowMs: number,
): T | undefined =>
  nowMs < previousValidUntilMs ? earlier.find(({ validUntilMs = 0 }) => nowMs < validUntilMs) : undefined;
