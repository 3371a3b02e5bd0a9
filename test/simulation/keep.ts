import { readFileSync, writeFileSync } from 'node:fs';
import type { SimulationFigures } from '../../shared/docs/simulation.ts';
import type { Coverage } from './coverage.ts';
import { invariants } from './invariants.ts';

const file = 'shared/docs/simulation.json';

/** An operator's command is no function. */
const functionRows = (coverage: Coverage) => coverage.rows().filter(([place]) => !place.startsWith('person/'));

/** The coverage by function, and what was checked. */
export const whatIsCovered = (coverage: Coverage): Pick<SimulationFigures, 'functions' | 'invariants'> => ({
  invariants: invariants.map(({ name }) => name),
  functions: [...Map.groupBy(functionRows(coverage), ([place]) => place.split(' | ')[0] ?? '')].map(([name, rows]) => ({
    name,
    calls: rows.reduce((sum, [, { calls }]) => sum + calls, 0),
    places: rows.length,
    before: rows.filter(([, { before }]) => before > 0).length,
    after: rows.filter(([, { after }]) => after > 0).length,
  })),
});

/** Keeps these figures for the documentation, and the others as they are. */
export const keep = (figures: Partial<SimulationFigures>): void => {
  const before: SimulationFigures = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...before, ...figures }, null, 2)}\n`);
};
