import type { TestStack } from '../test-stack.ts';

/** One kind of work that a stack is killed in the middle of. */
export interface Lane {
  /** Concurrent calls. Each resolves to whether it was accepted, also when the stack ends before it answers. */
  readonly burst: (stack: TestStack) => readonly Promise<boolean>[];
  /** How many requests its receiver of events has got. */
  readonly heard: () => number;
  /** What has not reached its end yet. */
  readonly underWay: (stack: TestStack) => Promise<readonly string[]>;
  /** Once nothing is under way: nothing is lost, done twice or counted wrongly. */
  readonly check: (stack: TestStack) => Promise<void>;
  readonly close: () => Promise<unknown>;
}
