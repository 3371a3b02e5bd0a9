import { endWith, numberOf, readCommandLine } from '../command-line.ts';
import { type Aim, aimOf, aimsOf, aimText, commandOf, isMeeting } from './aims.ts';
import { openCoverage } from './coverage.ts';
import { openCrowd } from './crowds/crowd.ts';
import { crowds } from './crowds/crowds.ts';
import { findMistake } from './find-mistake.ts';
import { keep, whatIsCovered } from './keep.ts';
import { mistakes } from './mutations.ts';
import { shrunk } from './shrink.ts';
import { openSimulation, type Result, type Wishes } from './simulate.ts';

const help = `npm run simulate -- [options]

Runs the product's own handlers, workers and stores in simulated worlds, and checks what must hold of each.

  --seed N       The first world; 1 by default.
  --runs M       How many worlds, one after the other; 1 by default.
  --sparse       Leaves out half of what is planned in each world.
  --trace        Prints everything that happens in them.
  --aimed N      Then has calls meet each fault that none of their place met, or be slow, each in N of the worlds that have the place.
  --aim A        Has the first call of a place meet a fault, or be slow: FUNCTION | CALL | FAULT OR slow. May be given more than once.
  --crowds       Lets crowds meet instead, each in so many worlds: runs of one store at the same items, at once.
  --mistakes     Puts one mistake after the other into the product, and prints which seed finds it, of the given number of runs.
  --coverage     Prints which calls of which function met faults.
  --write        Keeps what was found for the documentation.
  --help         Prints this.
`;

const { values } = readCommandLine({
  help,
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    aimed: { type: 'string', default: '0' },
    aim: { type: 'string', multiple: true, default: [] },
    sparse: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    crowds: { type: 'boolean', default: false },
    mistakes: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

if (values.sparse && (values.crowds || values.mistakes || values.write))
  endWith('--sparse is for worlds whose figures are not kept: leave out --crowds, --mistakes and --write.');
const [first, runs] = [numberOf('--seed', values.seed), numberOf('--runs', values.runs)];
if (runs < 1) endWith('--runs must be at least 1.');
const worldsPerAim = numberOf('--aimed', values.aimed);
const aims: readonly Aim[] = values.aim.map(
  (text) => aimOf(text) ?? endWith(`--aim must be FUNCTION | CALL | FAULT OR slow, and is ${text}.`),
);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const coverage = openCoverage();
const { run } = await openSimulation([], coverage);

/** Prints the shortest story of a failure that is found by leaving things out. */
const explain = async (found: Result, wishes: Wishes): Promise<void> => {
  const { result, without } = await shrunk(run, found, wishes);
  print(`\nseed ${found.seed}, ${without.size} operations and faults left out:`);
  await run(found.seed, { ...wishes, without, trace: print });
  for (const { invariant, what } of result.broken) print(`BROKEN ${invariant}: ${what}`);
};

const printCoverage = (): void => {
  for (const [place, { calls, before, after }] of coverage.rows())
    print(`${place} | ${calls} calls | ${before} before | ${after} after`);
};

const simulate = async (): Promise<void> => {
  let [worlds, events, faults, failures] = [0, 0, 0, 0];
  const unmet = new Set(aims);
  const judge = async (seed: number, given: Wishes): Promise<void> => {
    const wishes = { ...given, isSparse: values.sparse };
    const result = await run(seed, { ...wishes, ...(values.trace && { trace: print }) });
    worlds += 1;
    events += result.events;
    faults += result.faults.length;
    for (const aim of unmet) if (result.faults.some((fault) => isMeeting(fault, aim))) unmet.delete(aim);
    failures += Number(result.broken.length > 0);
    if (result.broken.length > 0 && failures === 1) await explain(result, wishes);
    const command = commandOf({ seed, aims: [], ...wishes });
    for (const { invariant, what } of result.broken) print(`${command}: ${invariant}: ${what}`);
  };

  for (let seed = first; seed < first + runs; seed += 1) await judge(seed, { aims });
  for (const { seed, ...wishes } of aimsOf(coverage, worldsPerAim)) await judge(seed, wishes);
  if (values.coverage) printCoverage();
  print(`${worlds} worlds, ${events} events, ${faults} faults, ${failures} worlds failed`);
  for (const aim of unmet) print(`No call met: ${aimText(aim)}`);
  process.exitCode = failures > 0 || unmet.size > 0 ? 1 : 0;
  if (values.write && failures === 0) keep({ worlds, events, faults, ...whatIsCovered(coverage) });
};

const findMistakes = async (): Promise<void> => {
  const kept: { readonly name: string; readonly seed: number }[] = [];
  for (const mistake of mistakes) {
    const found = await findMistake(mistake, runs);
    print(found ? `seed ${found.seed}: ${mistake.name}: ${found.invariants.join('; ')}` : `NOT FOUND: ${mistake.name}`);
    if (found) kept.push({ name: mistake.name, seed: found.seed });
    else process.exitCode = 1;
  }
  if (values.write) keep({ mistakes: kept });
};

const meet = async (): Promise<void> => {
  for (const crowd of crowds) {
    const meetOnce = await openCrowd(crowd);
    let failures = 0;
    for (let seed = first; seed < first + runs; seed += 1) {
      const broken = await meetOnce(seed);
      failures += Number(broken.length > 0);
      for (const what of broken) print(`seed ${seed}: ${what}`);
    }
    print(`${crowd.name}: ${runs} seeds, ${failures} failed`);
    if (failures > 0) process.exitCode = 1;
  }
};

if (values.crowds) await meet();
else if (values.mistakes) await findMistakes();
else await simulate();
