/** A URL that an account gave to its gateway, of which this is the last part. */
export interface InboundUrl {
  readonly token: string;
  isReplaced: boolean;
  rotations: number;
  /** Until when it is valid, at least. */
  validUntilMs: number;
  /** From when on it is refused, at the latest, if it was replaced. */
  refusedFromMs: number;
}

/** A call of a run that was killed may still be carried out. */
const afterlifeMs = 5_000;
/** So many URLs are valid at once, at most. */
const mostValid = 3;

export const newUrl = (url = ''): InboundUrl => ({
  token: url.split('/').at(-1) ?? '',
  isReplaced: false,
  rotations: 0,
  validUntilMs: Number.POSITIVE_INFINITY,
  refusedFromMs: 0,
});

/** Notes that the last of these URLs, or one before it, may be replaced from now on. */
export const beginRotation = (urls: readonly InboundUrl[], nowMs: number, overlapMs: number): void => {
  for (const url of urls) {
    url.rotations += 1;
    url.validUntilMs = Math.min(url.validUntilMs, nowMs + (url.rotations < mostValid ? overlapMs : 0));
  }
};

/** Notes the answer of a rotation. One that failed may have been made all the same. */
export const endRotation = (
  urls: readonly InboundUrl[],
  nowMs: number,
  overlapMs: number,
  isAnswered: boolean,
): void => {
  for (const url of urls) {
    if (url.isReplaced) continue;
    url.refusedFromMs = Math.max(url.refusedFromMs, nowMs + overlapMs + (isAnswered ? 0 : afterlifeMs));
    url.isReplaced = isAnswered;
  }
};
