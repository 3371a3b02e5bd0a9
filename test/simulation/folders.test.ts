import { globSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { expect, it } from 'vitest';
import figures from '../../shared/docs/simulation.json' with { type: 'json' };
import { leftOut } from '../../shared/docs/simulation.ts';
import { folders } from './folders.ts';
import { invariants } from './invariants.ts';
import { mistakes } from './mutations.ts';

it('every function has a row in the documented coverage, or a documented reason why it has none', () => {
  const all = globSync('functions/*/*/main.ts').map((file) => relative('functions', dirname(file)));
  const covered = figures.functions.map(({ name }) => name);
  expect([...covered, ...Object.keys(leftOut)].toSorted()).toEqual(all.toSorted());
  expect(covered.filter((name) => !folders.includes(name))).toEqual([]);
});

it('the documented invariants and mistakes are those of the code', () => {
  const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).toSorted();
  expect(figures.invariants.toSorted()).toEqual(namesOf(invariants));
  expect(namesOf(figures.mistakes)).toEqual(namesOf(mistakes));
});
