/** A file that is written over several runs: its parts so far, and the file that has what is too small for a part. */
export interface Growth {
  readonly upload?: string | undefined;
  readonly tags: readonly string[];
  readonly rest?: string | undefined;
}
