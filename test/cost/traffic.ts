/** Operations from which more follows than the answers of their requests. */
export interface Traffic {
  readonly name: string;
  /** Makes an account for them. What it gives does so many, as far as clients, providers and payers bring them about; workers get `batch` jobs at a time. */
  readonly open: () => Promise<(count: number, batch: number) => Promise<void>>;
}
