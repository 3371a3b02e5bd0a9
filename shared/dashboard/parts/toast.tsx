import { storeOf, useStore } from './store.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'good' | 'bad';
}

const toasts = storeOf<readonly Toast[]>([]);
const shownMs = 6_000;
let lastId = 0;

/** Says what has happened, for some seconds. */
export const toast = (text: string, kind: Toast['kind'] = 'good'): void => {
  lastId += 1;
  const id = lastId;
  toasts.set([...toasts.get().slice(-2), { id, text, kind }]);
  setTimeout(() => toasts.set(toasts.get().filter((each) => each.id !== id)), shownMs);
};

export const Toasts = () => (
  <div class="toasts" role="status">
    {useStore(toasts).map(({ id, text, kind }) => (
      <p key={id} class={`toast ${kind}`}>
        {text}
      </p>
    ))}
  </div>
);
