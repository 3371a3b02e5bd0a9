import type { TextNews } from './phones-outcomes.ts';

/** The reports of a provider that can be played for a caught text. */
export const textPlays = [
  'delivered',
  'failed',
  'rejected',
  'read',
] as const satisfies readonly TextNews['eventType'][];
