/** Whose data this is, and that account's data key, sealed. Every storage call takes one, so nothing is read or written without an account. */
export interface AccountRef {
  readonly id: string;
  /** What the key service gave at creation; only it can open it, and only for this account. Base64. */
  readonly sealedKey: string;
}
