import { leaving } from '../place.ts';
import { Confirm } from './dialog.tsx';
import { useStore } from './store.ts';
import { hasSecret, hasUnsaved } from './unsaved.ts';

/** The title, the button and what is lost. */
const question = (): readonly [string, string, string] => {
  if (hasSecret())
    return ['Close without copying?', 'Close without copying', 'You have not copied it, and cannot see it again.'];
  if (hasUnsaved()) return ['Discard your changes?', 'Discard changes', 'What you typed and did not save is lost.'];
  return [
    'Stop the import?',
    'Stop the import',
    'You leave this page, and the rows that are not imported yet are left out.',
  ];
};

/** Asks before another screen takes the place of one with text that is not saved or a secret, or a sign-out ends an import. */
export const Leaving = () => {
  const act = useStore(leaving);
  if (act === undefined) return null;
  const [title, action, lost] = question();
  return (
    <Confirm title={title} action={action} onClose={() => leaving.set(undefined)} onConfirm={async () => act}>
      <p>{lost}</p>
    </Confirm>
  );
};
