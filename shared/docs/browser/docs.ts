import { addCopyButtons } from './copy.ts';
import { fillIn } from './fill-in.ts';
import { addSearch } from './search.ts';
import { makeTabs } from './tabs.ts';

// The script is loaded before the page is shown, so that what only tabs hide is never seen.
document.documentElement.classList.add('js');

/** The current page may be below the window in the navigation, which scrolls on its own. */
const showCurrent = (): void => {
  const nav = document.getElementById('nav');
  const current = nav?.querySelector<HTMLElement>('[aria-current]');
  if (nav && current) nav.scrollTop = current.offsetTop - nav.offsetTop - nav.clientHeight / 2;
};

document.addEventListener('DOMContentLoaded', () => {
  showCurrent();
  makeTabs();
  addCopyButtons();
  addSearch();
  void fillIn();
});
