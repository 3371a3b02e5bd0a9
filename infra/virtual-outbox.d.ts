/** Made by `outbox.ts` while the reader of the outbox is bundled. */
declare module 'virtual:outbox' {
  /** What follows from the changes of the table, as the rows of `workers.ts` say. */
  export const outbox: import('./outbox.ts').Outbox;
}
