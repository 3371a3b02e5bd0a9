import { accessLineBytes, billedMs, dollarsOf, lineOverheadBytes, prices, processorMs, waitsMs } from './prices.ts';

/** What a function did in one or more invocations. */
export interface Step {
  readonly does: string;
  readonly invocations: number;
  readonly jobs: number;
  readonly calls: Readonly<Record<'read' | 'write' | 'transaction', number>>;
  readonly units: Readonly<Record<'Read' | 'Write', number>>;
  /** Requests to SQS, by the function and by Lambda that feeds it. */
  readonly queueRequests: number;
  /** Those of them that the function waits for. */
  readonly queueWaits: number;
  readonly published: number;
  /** Calls of SES, of a provider of texts, or of webhook targets. */
  readonly outside: Readonly<Partial<Record<'email' | 'webhook' | 'provider', number>>>;
  readonly logLines: number;
  readonly logBytes: number;
  readonly isRequest: boolean;
  /** On this machine. */
  readonly processorMs: number;
}

/** Dollars of an operation, by what AWS charges for. */
export interface Bill {
  readonly api: number;
  readonly functions: number;
  readonly table: number;
  readonly queues: number;
  readonly logs: number;
}

/** How long one invocation takes on AWS, in milliseconds, when the function is warm. */
export const durationMs = ({ does, invocations, jobs, calls, outside, queueWaits }: Step): number => {
  const waited =
    calls.read * waitsMs.read +
    calls.write * waitsMs.write +
    calls.transaction * waitsMs.transaction +
    queueWaits * waitsMs.queue +
    Object.entries(outside).reduce((sum, [kind, number]) => sum + number * waitsMs[kind as keyof typeof outside], 0);
  return billedMs(does, jobs / invocations, waited / invocations);
};

/** Processor time of all jobs of a step on one core, in milliseconds. */
export const processorMsOf = ({ does, jobs }: Step): number => (processorMs[does] ?? 0) * jobs;

const billOf = (step: Step): Bill => {
  const { invocations, units } = step;
  const lineBytes = step.logBytes + step.logLines * lineOverheadBytes;
  return {
    api: step.isRequest ? invocations * prices.apiRequest : 0,
    functions: invocations * (prices.invocation + dollarsOf(step.does, durationMs(step))),
    table: units.Read * prices.readUnit + units.Write * prices.writeUnit,
    queues: step.queueRequests * prices.queueRequest + step.published * prices.topicPublish,
    logs: ((lineBytes + (step.isRequest ? invocations * accessLineBytes : 0)) / 1e9) * prices.logGigabyte,
  };
};

const kinds = ['api', 'functions', 'table', 'queues', 'logs'] as const satisfies readonly (keyof Bill)[];

/** Dollars for a million operations, of which these steps were so many. */
export const dollarsPerMillion = (steps: readonly Step[], operations: number): Bill & { readonly together: number } => {
  const bills = steps.map(billOf);
  const sum = (kind: keyof Bill): number => (bills.reduce((total, bill) => total + bill[kind], 0) * 1e6) / operations;
  const bill = Object.fromEntries(kinds.map((kind) => [kind, sum(kind)])) as Record<keyof Bill, number>;
  return { ...bill, together: kinds.reduce((total, kind) => total + bill[kind], 0) };
};
