import { exportMistakes } from './export-mistakes.ts';
import { importMistakes } from './import-mistakes.ts';
import type { Mistake } from './mistake.ts';
import { uploadMistakes } from './upload-mistakes.ts';

/** Mistakes with files that the simulation must find. */
export const fileMistakes: readonly Mistake[] = [...importMistakes, ...exportMistakes, ...uploadMistakes];
