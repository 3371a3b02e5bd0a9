import { leaving } from '../place.ts';
import { Confirm } from './dialog.tsx';
import { useStore } from './store.ts';

/** Asks before another screen takes the place of one with text that is not saved. */
export const Leaving = () => {
  const act = useStore(leaving);
  if (act === undefined) return null;
  return (
    <Confirm
      title="Discard your changes?"
      action="Discard changes"
      onClose={() => leaving.set(undefined)}
      onConfirm={async () => act}
    >
      <p>You leave this page, and what you typed and did not save is lost.</p>
    </Confirm>
  );
};
