import { element } from './element.ts';
import { kept } from './kept.ts';

const choiceName = 'docs.language';

interface Group {
  show(language: string): void;
}

const groups: Group[] = [];
let count = 0;

/** All groups show the language that was chosen last, where they have it. */
export const makeTabs = (): void => {
  for (const box of document.querySelectorAll<HTMLElement>('.samples')) groups.push(groupOf(box));
  const chosen = kept.get(choiceName);
  if (chosen) showAll(chosen);
};

const showAll = (language: string): void => {
  for (const group of groups) group.show(language);
};

const choose = (language: string, button: HTMLElement): void => {
  const before = button.getBoundingClientRect().top;
  showAll(language);
  kept.set(choiceName, language);
  // Blocks above have other heights now: what the reader looks at stays where it was.
  scrollBy(0, button.getBoundingClientRect().top - before);
};

const groupOf = (box: HTMLElement): Group => {
  const samples = [...box.querySelectorAll<HTMLElement>('.sample')];
  const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Language' });
  const buttons = samples.map((sample) => {
    const language = sample.dataset['language'] ?? '';
    count += 1;
    sample.id = `sample-${count}`;
    const button = element('button', { type: 'button', role: 'tab', 'aria-controls': sample.id }, language);
    button.addEventListener('click', () => choose(language, button));
    return button;
  });
  const show = (language: string): void => {
    const at = samples.findIndex((sample) => sample.dataset['language'] === language);
    if (at < 0) return;
    for (const [i, sample] of samples.entries()) {
      sample.classList.toggle('chosen', i === at);
      buttons[i]?.setAttribute('aria-selected', String(i === at));
      buttons[i]?.setAttribute('tabindex', i === at ? '0' : '-1');
    }
  };
  list.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    const next = to === undefined ? undefined : buttons[(to + buttons.length) % buttons.length];
    if (!next) return;
    event.preventDefault();
    choose(next.textContent ?? '', next);
    next.focus();
  });
  list.append(...buttons);
  box.prepend(list);
  show(samples[0]?.dataset['language'] ?? '');
  return { show };
};
