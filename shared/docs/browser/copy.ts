import { element } from './element.ts';

const shownMs = 2_000;

/** A button on each block of code that copies it. */
export const addCopyButtons = (): void => {
  for (const block of document.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
    const state = element('span', { role: 'status', class: 'hidden' });
    const show = (label: string, said = label): void => {
      button.textContent = label;
      state.textContent = said;
    };
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent ?? '').then(
        () => show('Copied'),
        () => {
          getSelection()?.selectAllChildren(block);
          show('Press Ctrl+C');
        },
      );
      setTimeout(() => show('Copy', ''), shownMs);
    });
    const frame = element('div', { class: 'block' });
    block.replaceWith(frame);
    frame.append(block, button, state);
  }
};
