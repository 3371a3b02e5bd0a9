import type { Html } from '../../kit/html.ts';

const icon = (name: string, drawing: string): Html => ({
  markup: `<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true">${drawing}</svg>`,
});

/** Drawn with lines in the text's colour; what they say, words beside them say too. */
export const icons = {
  card: icon('card', '<rect x="3" y="5.5" width="18" height="13" rx="2"/><path d="M3 10h18M7 14.5h3"/>'),
  wallet: icon('wallet', '<path d="M17 7V5H6a2 2 0 0 0 0 4h13v10H6a2 2 0 0 1-2-2V7M15.5 14h.01"/>'),
  bank: icon('bank', '<path d="M3 9.5 12 4l9 5.5M5.5 10v7M10 10v7M14 10v7M18.5 10v7M3 20h18"/>'),
  lock: icon('lock', '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>'),
  done: icon('done', '<path d="m6 12.5 4 4 8-9"/>'),
  clock: icon('clock', '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>'),
  cross: icon('cross', '<path d="m7 7 10 10M17 7 7 17"/>'),
  trouble: icon('trouble', '<path d="M12 6.5v7M12 17h.01"/>'),
} as const;
