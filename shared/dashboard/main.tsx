import { render } from 'preact';
import { adminApi, onSignedOut } from './apis.ts';
import { App } from './app.tsx';
import { followTyping, hasUnsaved } from './parts/unsaved.ts';
import { followLinks, go } from './place.ts';
import { followSessions, person, rememberPlace } from './session.ts';

onSignedOut(() => {
  if (location.pathname === '/dashboard/sign-in') return;
  // What was typed stays. The form that is being sent, or what is being read, shows how to sign in.
  if (document.querySelector('form[aria-busy=true]') || hasUnsaved()) return;
  rememberPlace();
  // Without a person, nobody was signed in here.
  go(person.get() ? '/dashboard/sign-in?problem=ended' : '/dashboard/sign-in', { replaces: true });
});

followLinks();
followTyping();
followSessions();

/** The browser shows a page that it kept, on the way back to it: the person may have signed out since, and another one in. */
addEventListener('pageshow', async ({ persisted }) => {
  if (!persisted) return;
  document.body.hidden = true;
  const now = await adminApi.call('GET /me').catch(() => undefined);
  if (now && now.data.sessionId === person.get()?.sessionId) document.body.hidden = false;
  else location.reload();
});

/** Ctrl+K or ⌘K leads to the search. A key alone would also act on the words of people who dictate (WCAG 2.2, 2.1.4). */
addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
  const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
  if (!isShortcut || isTyping) return;
  const search = document.querySelector<HTMLInputElement>('main input[type=search]');
  if (!search) return;
  event.preventDefault();
  search.focus();
});

/** A held Enter key is one press: its repetitions would confirm the dialog that the first one opened, and open it again. */
addEventListener('keydown', (event) => {
  const isHeld = event.repeat && event.key === 'Enter';
  if (isHeld && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
});

const root = document.getElementById('app');
// What the page says without this program goes.
root?.replaceChildren();
if (root) render(<App />, root);
