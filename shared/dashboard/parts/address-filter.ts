import type { Filter } from './filters.tsx';

/** Of a list that can be asked for one recipient only. */
export const addressFilter = (name: string) =>
  ({
    name,
    label: 'Recipient',
    kind: 'search',
    placeholder: 'Whole address or phone',
    pattern: String.raw`\s*(.+@.+\..{2,}|\+?\d{7,})\s*`,
  }) as const satisfies Filter;
