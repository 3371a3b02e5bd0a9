import { configureGlobal } from 'fast-check';
import { fuzzSeed } from './model-runs.ts';

// Each run tries the same random values, so that what fails once fails again; `npm run test:long` tries others.

configureGlobal({ seed: fuzzSeed });
