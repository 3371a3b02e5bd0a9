import type { ItemKey } from './keys.ts';

/** What a sealed field is bound to (`Cipher.seal`). What is stored opens only there, so this never changes. */
export const sealedPlace = ({ PK, SK }: ItemKey, field: string): string => `${PK}/${SK}/${field}`;
