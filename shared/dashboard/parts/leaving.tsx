import { leaving } from '../place.ts';
import { Confirm } from './dialog.tsx';
import { useStore } from './store.ts';
import { hasUnsaved } from './unsaved.ts';

/** Asks before another screen takes the place of one with text that is not saved, or a sign-out ends an import. */
export const Leaving = () => {
  const act = useStore(leaving);
  if (act === undefined) return null;
  const [title, action, lost] = hasUnsaved()
    ? ['Discard your changes?', 'Discard changes', 'What you typed and did not save is lost.']
    : [
        'Stop the import?',
        'Stop the import',
        'You leave this page, and the rows that are not imported yet are left out.',
      ];
  return (
    <Confirm title={title} action={action} onClose={() => leaving.set(undefined)} onConfirm={async () => act}>
      <p>{lost}</p>
    </Confirm>
  );
};
