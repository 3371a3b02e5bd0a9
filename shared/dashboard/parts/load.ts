import { useCallback, useEffect, useState } from 'preact/hooks';
import { noAnswer, type Problem, problemOf, quietMs } from '../apis.ts';
import { lostChanges } from './lost-changes.ts';

/** Something that is read from the server. A reload keeps the old value until the new one is there, also beside a problem. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  reload(): Promise<void>;
  /** Shows a value before the server confirms it. */
  replace(value: T): void;
}

/** Shows what is read. Before, where that takes long, shows that there is no answer. */
export const showAnswer = async <T>(
  read: Promise<T>,
  show: (next: { readonly value: T; readonly problem: undefined } | { readonly problem: Problem }) => void,
): Promise<void> => {
  const timer = setTimeout(() => show({ problem: noAnswer }), quietMs);
  const next = await read.then(
    (value) => ({ value, problem: undefined }),
    (thrown: unknown) => ({ problem: problemOf(thrown) }),
  );
  clearTimeout(timer);
  show(next);
};

/** Asks at once, and again when one of `by` changes. An answer that comes too late is dropped. */
export const useAnswer = <T>(ask: () => Promise<T>, by: readonly unknown[]): Loaded<T> => {
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
      await showAnswer(ask(), (next) => {
        if (turn === turns.latest) setState((before) => ({ ...before, ...next, isLoading: false }));
      });
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

/** What changes nothing at the server: it is also read again when the answer to a change was lost. */
export const useLoad = <T>(read: () => Promise<T>, by: readonly unknown[]): Loaded<T> => {
  const loaded = useAnswer(read, by);
  useEffect(() => lostChanges.follow(loaded.reload), [...by]);
  return loaded;
};
