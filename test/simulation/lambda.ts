import type { Code } from './bundle-functions.ts';
import type { Machine } from './machine.ts';

type Handler = ReturnType<Code['functions'][string]>;
export type Outcome = { readonly answer: unknown } | { readonly thrown: unknown } | 'killed';

interface Instance {
  readonly made: Map<unknown, unknown>;
  readonly handler: Handler;
}

/** As `infra/build-function.ts` has it. */
const timeoutMs = 25_000;
const coldStartChance = 0.1;

/** Runs functions as Lambda does: each instance has one run at a time, keeps its memory for the next, and loses it when it is killed. */
export const openLambda = (machine: Machine, { functions }: Code) => {
  const idle = new Map<string, Instance[]>();

  const newInstance = (does: string): Instance => {
    const make = functions[does];
    if (!make) throw new Error(`the simulation has no function ${does}`);
    const made = new Map<unknown, unknown>();
    return { made, handler: machine.making(made, make) };
  };

  return {
    /** Runs a function once. A run that takes too long is killed. `accounts`: the only ones that it may change; all, if it is not known. */
    invoke: (does: string, event: unknown, end: (outcome: Outcome) => void, accounts?: readonly string[]): void => {
      const waiting = idle.get(does) ?? [];
      idle.set(does, waiting);
      const instance = waiting.pop() ?? newInstance(does);
      const deadlineMs = machine.timeline.nowMs() + timeoutMs;
      const context = {
        awsRequestId: does,
        getRemainingTimeInMillis: () => Math.max(0, deadlineMs - machine.timeline.nowMs()),
      };
      const run = machine.start(
        does,
        instance.made,
        () => instance.handler(event, context),
        (outcome) => {
          if (outcome !== 'killed' && !run.random.isChance(coldStartChance)) waiting.push(instance);
          end(outcome);
        },
        { accounts },
      );
      machine.timeline.at(deadlineMs, () => !run.isOver && run.kill());
    },
  };
};

export type Lambda = ReturnType<typeof openLambda>;
