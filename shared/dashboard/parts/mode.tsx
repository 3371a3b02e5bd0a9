import { useEffect } from 'preact/hooks';
import { isNotFound } from '../apis.ts';
import { goWith, usePlace } from '../place.ts';

export type Mode = 'test' | 'live';
export const modeOf = (livemode: boolean): Mode => (livemode ? 'live' : 'test');

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

/** Reads a thing that one mode has. Where a link has no mode, or the other one, the screen changes to the mode of the thing. */
export const readInItsMode = async <T,>(mode: Mode, read: (livemode: boolean) => Promise<T>): Promise<T> => {
  const { pathname } = location;
  try {
    return await read(mode === 'live');
  } catch (thrown) {
    if (!isNotFound(thrown)) throw thrown;
    const found = await read(mode !== 'live').catch(() => Promise.reject(thrown));
    if (location.pathname === pathname) goWith({ mode: mode === 'live' ? 'test' : 'live' });
    return found;
  }
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
