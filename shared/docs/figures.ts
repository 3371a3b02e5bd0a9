import { type Html, html } from '../kit/html.ts';
import figures from './figures.json' with { type: 'json' };
import { table } from './scrolling-table.ts';

/** What one operation takes, from the request to its last webhook and count. */
export interface OperationFigure {
  readonly name: string;
  /** `busy`: messages come together, and workers get ten jobs at a time. */
  readonly load: 'busy' | 'trickle';
  /** Calls of DynamoDB. */
  readonly reads: number;
  readonly writes: number;
  readonly transactions: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly queueRequests: number;
  readonly logBytes: number;
  /** On one core, from a table of what each function takes when it is warm. */
  readonly processorMs: number;
  /** How long the request takes in a warm function on AWS, without the network and API Gateway; half of them take less. */
  readonly requestMs: number;
  readonly dollarsPerMillion: number;
}

/** What the code of one function takes to start. */
export interface FunctionFigure {
  readonly name: string;
  readonly kilobytes: number;
  /** The fastest load of a few, in a new process without a compile cache. */
  readonly loadMs: number;
  /** Processor time of a load, divided by that of loading the AWS clients of its calls alone: the median of a few pairs of new processes. */
  readonly loadRatio: number;
  /** Of the process, after the load. */
  readonly memoryMegabytes: number;
}

export interface Figures {
  readonly operations: readonly OperationFigure[];
  readonly functions: readonly FunctionFigure[];
}

/** What `npm run bench -- figures --write` measured. */
export const measuredFigures = figures as Figures;

/** The parts have one decimal, and their sum in binary may have many. */
const rounded = (sum: number): number => Math.round(sum * 10) / 10;

export const operationFigures: Html = table(
  [
    ...['Operation', 'Load', 'DynamoDB calls', 'read units', 'write units'],
    ...['SQS requests', 'log bytes', 'CPU ms', 'p50 ms', '$ a million'],
  ],
  measuredFigures.operations.map(({ name, load, reads, writes, transactions, ...rest }) => [
    ...[name, load, String(rounded(reads + writes + transactions))],
    ...[rest.readUnits, rest.writeUnits, rest.queueRequests, rest.logBytes].map(String),
    ...[rest.processorMs, rest.requestMs, rest.dollarsPerMillion].map(String),
  ]),
);

const functionTable = table(
  ['Function', 'kB', 'load ms', 'load / clients', 'memory MB'],
  measuredFigures.functions.map(({ name, kilobytes, loadMs, loadRatio, memoryMegabytes }) => [
    ...[name, String(kilobytes), String(loadMs), loadRatio.toFixed(2), String(memoryMegabytes)],
  ]),
);

/** The most that a load should take, as a multiple of the load of its AWS clients. */
const goal = 1.3;
const all = measuredFigures.functions.length;
const withinGoal = measuredFigures.functions.filter(({ loadRatio }) => loadRatio <= goal).length;

export const functionFigures: Html = html`<p>The goal is that a function loads with at most ${goal} times the processor time of its AWS clients alone: ${withinGoal} of ${all} do.</p>
${functionTable}`;
