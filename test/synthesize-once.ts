import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readOptions } from '../infra/local/options.ts';
import { synthesize } from '../infra/local/synth.ts';
import { stackEnvironment } from './stack-environment.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A cloud assembly of the sources as they are, which every test stack starts from. */
    readonly assembly: string;
  }
}

/** Synthesizing takes seconds, so it is done once, and again when sources have changed. */
export const setup = async ({ provide }: TestProject): Promise<void> => {
  const assembly = resolve('node_modules/.cache/test-assembly');
  await synthesize(assembly, readOptions([], stackEnvironment).settings);
  provide('assembly', assembly);
};
