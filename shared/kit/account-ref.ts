/** An account's id and its encrypted data key. Stores of an account's data require one, so that no call can omit the account. */
export interface AccountRef {
  readonly id: string;
  /** The data key as KMS encrypted it at creation. Only KMS can decrypt it, and only for this account. Base64. */
  readonly sealedKey: string;
}
