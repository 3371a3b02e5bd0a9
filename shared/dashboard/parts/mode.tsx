import { useEffect } from 'preact/hooks';
import { goWith, usePlace } from '../place.ts';

export type Mode = 'test' | 'live';

const key = 'dashboard:mode';
const modes = ['test', 'live'] as const;
const isMode = (text: string | null): text is Mode => text === 'test' || text === 'live';

/** The mode of this tab. Another tab may show the other one meanwhile. */
let kept = localStorage.getItem(key);

/** Whether test or live payments are shown: in the URL, and kept for the next screen and the next tab. */
export const useMode = (): Mode => {
  const named = usePlace().query.get('mode');
  useEffect(() => {
    if (!isMode(named)) return;
    kept = named;
    localStorage.setItem(key, named);
  }, [named]);
  return isMode(named) ? named : isMode(kept) ? kept : 'test';
};

export const ModeSwitch = () => {
  const mode = useMode();
  return (
    <fieldset class="switch">
      <legend class="hidden">Mode</legend>
      {modes.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="mode"
            value={each}
            checked={each === mode}
            onChange={() => goWith({ mode: each })}
          />
          <span>{each === 'test' ? 'Test' : 'Live'}</span>
        </label>
      ))}
    </fieldset>
  );
};
