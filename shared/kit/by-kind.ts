interface OfSomeKind {
  readonly kind: string;
}

/** What does the jobs of each kind. `More`: what it is given beside the job. */
export type ByKind<Job extends OfSomeKind, More extends readonly unknown[]> = {
  readonly [Kind in Job['kind']]: (job: Extract<Job, { readonly kind: Kind }>, ...more: More) => Promise<void>;
};

/** Passes a job on to what does its kind. */
export const byKind =
  <Job extends OfSomeKind, More extends readonly unknown[] = []>(workers: ByKind<Job, More>) =>
  <Kind extends Job['kind']>(kind: Kind, job: Extract<Job, { readonly kind: Kind }>, ...more: More): Promise<void> =>
    workers[kind](job, ...more);
