import { grouped } from '../kit/grouped.ts';
import { type Html, html, prose } from '../kit/html.ts';
import { table } from './scrolling-table.ts';
import figures from './simulation.json' with { type: 'json' };

/** The calls of AWS and others that one function made in simulated worlds, by their place: what they do and to what. */
export interface FunctionCoverage {
  readonly name: string;
  readonly calls: number;
  readonly places: number;
  /** Places that met a fault before their effect, and those that met one after it. */
  readonly before: number;
  readonly after: number;
}

/** What `npm run simulate -- --write` keeps. */
export interface SimulationFigures {
  readonly worlds: number;
  readonly events: number;
  readonly faults: number;
  readonly invariants: readonly string[];
  readonly functions: readonly FunctionCoverage[];
  /** Mistakes that were put into the product, and a seed whose world shows each. */
  readonly mistakes: readonly { readonly name: string; readonly seed: number }[];
}

const { worlds, events, faults, invariants, functions, mistakes }: SimulationFigures = figures;

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

export const simulationTotals: Html = html`<p>${prose(
  `The last long run: ${grouped(worlds)} worlds, ${grouped(events)} events, ${grouped(faults)} faults, and no invariant broken.`,
)}</p>`;

export const simulationInvariants: Html = html`<ul>${invariants.map((name) => html`<li>${sentence(name)}.</li>\n`)}</ul>`;

export const simulationCoverage: Html = table(
  ['Function', 'Calls', 'Places', 'with a fault before', 'with a fault after'],
  functions.map(({ name, calls, places, before, after }) => [
    `\`${name}\``,
    ...[calls, places, before, after].map(grouped),
  ]),
);

const callsNothing = 'It calls nothing, so no call can fail.';

/** The functions that the coverage does not have, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  'admin/list-requests': 'It reads the access log of CloudWatch, which the worlds do not have.',
  'checkout/answer-preflight': callsNothing,
  'checkout/show-logo':
    'It reads one item of the table, a logo, which never changes; no account in the worlds has one.',
  'checkout/show-script': callsNothing,
  'checkout/show-style': callsNothing,
  'dashboard/show-app': callsNothing,
  'docs/get-admin-description': 'Its only calls are those that find the caller, as in every function of the admin API.',
  'docs/show-docs': callsNothing,
  'public/refuse-unknown-route': callsNothing,
  'unsubscribe/ask-to-unsubscribe': `${callsNothing} Scanners open it in the worlds.`,
};

export const simulationLeftOut: Html = table(
  ['Function', 'Why it is not in the table of faults'],
  Object.entries(leftOut).map(([name, reason]) => [`\`${name}\``, reason]),
);

export const simulationMistakes: Html = table(
  ['Mistake', 'Seed'],
  mistakes.map(({ name, seed }) => [sentence(name), grouped(seed)]),
);
