/** What the fields of an item are: one of these texts, or `set` at all, or `unset`. */
export type ImagePattern = Readonly<Record<string, readonly string[] | 'set' | 'unset'>>;

/** A change of one kind of item. Items are never matched when they are deleted. */
export interface ChangePattern {
  /** Only of an item that did not exist before. */
  readonly isNew?: true;
  /** What it was before. */
  readonly was?: ImagePattern;
  /** What it is now. */
  readonly is: ImagePattern & { readonly entity: readonly [string] };
  /** What it is now, and was not before. */
  readonly becomes?: ImagePattern;
}

/** Fields of a job, by the attributes of the item that they are taken from. An attribute that is missing is left out. */
export type Carried = Readonly<Record<string, string>>;

/** A job that follows from a change. */
export interface Consequence {
  readonly when: ChangePattern | readonly ChangePattern[];
  /** What the item must still be: of a change that a later one in the same batch of the stream has overtaken, no job follows. */
  readonly onlyWhile?: ImagePattern;
  /** The job's `kind`, on a queue of several. */
  readonly kind?: string;
  /** Ids, channel, status, price and times only: nothing of a customer's, and nothing that is encrypted. */
  readonly carries: Carried;
  /** Fields of the item as it was before the change; they become the job's `before`. */
  readonly was?: Carried;
  /** The job's delay in seconds, or the setting that has it. */
  readonly delay?: string | number;
  /** How many such jobs; one by default. */
  readonly copies?: number;
}

/** A consequence with the setting that has the URL of its queue. */
export interface OutboxRow extends Consequence {
  readonly queue: string;
}
