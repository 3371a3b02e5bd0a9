import type { QueueMappingSpec } from './blueprint.ts';
import type { runQueueMapping } from './queue-mapping.ts';

type Mapping = ReturnType<typeof runQueueMapping>;

interface Standing {
  readonly spec: QueueMappingSpec;
  /** Undefined while it is disabled. */
  mapping: Mapping | undefined;
}

/** The event source mappings of queues, which can be disabled and enabled as on Lambda. A restart of the stack enables all. */
export const openMappingSwitches = () => {
  const standings = new Map<string, Standing>();
  let begin: (spec: QueueMappingSpec) => Mapping;

  return {
    /** Begins all of them. */
    start: (specs: readonly QueueMappingSpec[], run: typeof begin): void => {
      begin = run;
      for (const spec of specs) standings.set(spec.id, { spec, mapping: run(spec) });
    },

    of: (functionName: string) =>
      [...standings.values()]
        .filter(({ spec }) => spec.functionName === functionName)
        .map(({ spec, mapping }) => ({ spec, isEnabled: mapping !== undefined })),

    /** False: there is none with this id. */
    turn: async (id: string, isEnabled: boolean): Promise<boolean> => {
      const standing = standings.get(id);
      if (!standing) return false;
      if (isEnabled) standing.mapping ??= begin(standing.spec);
      else {
        const { mapping } = standing;
        standing.mapping = undefined;
        await mapping?.close();
      }
      return true;
    },

    /** Whether the message with this receipt handle is in a batch that has not ended. */
    isHeld: (receiptHandle: string): boolean =>
      [...standings.values()].some(({ mapping }) => mapping?.isHeld(receiptHandle) ?? false),

    close: async (): Promise<void> => {
      await Promise.all([...standings.values()].map(({ mapping }) => mapping?.close()));
    },
  };
};

export type MappingSwitches = ReturnType<typeof openMappingSwitches>;
