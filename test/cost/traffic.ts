/** Operations from which more follows than the answers of their requests. */
export interface Traffic {
  readonly name: string;
  /** Makes an account for them. The function that it returns makes so many requests, with what clients, providers and payers do; workers get `batch` jobs at a time. */
  readonly open: () => Promise<(count: number, batch: number) => Promise<void>>;
}
