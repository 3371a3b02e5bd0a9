import type { Filter } from './filters.tsx';
import { addressIn } from './typed-address.ts';

/** Of a list that can be asked for one recipient only. */
export const addressFilter = (name: string) =>
  ({
    name,
    label: 'Recipient',
    kind: 'search',
    placeholder: 'Whole address or phone',
    pattern: String.raw`\s*(.+@.+\..{2,}|[+\(]?[\d০-৯][\d০-৯\s\(\)\.\-]{6,})\s*`,
    means: addressIn,
  }) as const satisfies Filter;
