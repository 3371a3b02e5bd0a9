import { expect, it } from 'vitest';
import { preferredLanguage } from './language.ts';

it.each([
  ['bn', 'bn'],
  ['bn-BD,bn;q=0.9,en;q=0.8', 'bn'],
  ['en-GB, en;q=0.9, bn;q=0.8', 'en'],
  ['en;q=0.5, BN-bd;q=0.7', 'bn'],
  ['fr-FR, bn;q=0.1', 'bn'],
  ['bn;q=0, fr', 'en'],
  ['bn;q=high', 'en'],
  ['fr, *;q=0.1', 'en'],
  ['bnx', 'en'],
  ['', 'en'],
  [';;q=,,-', 'en'],
])('takes %j for %s', (acceptLanguage, language) => {
  expect(preferredLanguage(acceptLanguage)).toBe(language);
});
