import { addCopyButtons } from './copy.ts';
import { fillIn } from './fill-in.ts';
import { addSearch } from './search.ts';
import { makeTabs } from './tabs.ts';

// The script is loaded before the page is shown, so that what only tabs hide is never seen.
document.documentElement.classList.add('js');

document.addEventListener('DOMContentLoaded', () => {
  // The end of the navigation is below the window's.
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });
  makeTabs();
  addCopyButtons();
  addSearch();
  void fillIn();
});
