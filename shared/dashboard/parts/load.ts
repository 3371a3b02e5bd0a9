import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Problem, problemOf } from '../apis.ts';

/** Something that is read from the server. A reload keeps the old value until the new one is there, also beside a problem. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  reload(): Promise<void>;
  /** Shows a value before the server confirms it. */
  replace(value: T): void;
}

/** Reads again when one of `by` changes. An answer that comes too late is dropped. */
export const useLoad = <T>(read: () => Promise<T>, by: readonly unknown[]): Loaded<T> => {
  const [state, setState] = useState<Pick<Loaded<T>, 'value' | 'problem' | 'isLoading'>>({
    value: undefined,
    problem: undefined,
    isLoading: true,
  });
  const [turns] = useState({ latest: 0 });
  const load = useCallback(
    async (keepsValue: boolean): Promise<void> => {
      turns.latest += 1;
      const turn = turns.latest;
      setState(({ value }) => ({ value: keepsValue ? value : undefined, problem: undefined, isLoading: true }));
      const next = await read().then(
        (value) => ({ value, problem: undefined }),
        (thrown: unknown) => ({ problem: problemOf(thrown) }),
      );
      if (turn === turns.latest) setState((before) => ({ ...before, ...next, isLoading: false }));
    },
    [...by],
  );
  useEffect(() => {
    load(false);
    return () => {
      turns.latest += 1;
    };
  }, [load, turns]);
  return {
    ...state,
    reload: () => load(true),
    replace: (value) => setState({ value, problem: undefined, isLoading: false }),
  };
};
