import type { Mutation } from './bundle-functions.ts';

/** A mistake in the product, and the invariants that it may break first. */
export interface Mistake extends Mutation {
  readonly name: string;
  readonly breaks: readonly string[];
}
