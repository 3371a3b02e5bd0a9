import { useEffect, useState } from 'preact/hooks';

/** One value that parts of the screen follow. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Returns how to stop following. */
  follow(listener: () => void): () => void;
}

export const storeOf = <T>(first: T): Store<T> => {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useStore = <T>(store: Store<T>): T => {
  const [value, setValue] = useState(() => store.get());
  useEffect(() => {
    const update = () => setValue(() => store.get());
    update();
    return store.follow(update);
  }, [store]);
  return value;
};
