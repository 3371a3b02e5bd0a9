/**
 * An account's id and its encrypted data key, which every encrypted field needs. Look-ups that begin without an account (by account id, API key,
 * payment id or token) return it.
 */
export interface AccountRef {
  readonly id: string;
  /** The data key as KMS encrypted it at creation. Only KMS can decrypt it, and only for this account. Base64. */
  readonly sealedKey: string;
}
