import { AsyncLocalStorage } from 'node:async_hooks';
import type { Spent } from '../../infra/local/emulators/dynamodb-contention.ts';
import { metricsNamespace } from '../../shared/kit/metrics.ts';
import type { Step } from './usage.ts';

/** A duration or another small number: its digits are not to change the bill. */
const measure = /(?<=[:,[])-?\d{1,6}(?=[,\]}])/g;

/** What an operation uses when all goes well: a line about a call that had to be made again is not part of it, but is shown. */
const isOfTrouble = (line: string): boolean =>
  !line.startsWith('{"level":"info"') || line.includes('"message":"a call of AWS was made again"');

type Counted = Pick<Step, 'does' | 'invocations' | 'jobs'> &
  Partial<Pick<Step, 'queueRequests' | 'queueWaits' | 'published' | 'outside' | 'isRequest'>>;

/** Measures what functions do: their calls of the table, the lines of their logs, and their processor time. */
export const stepMeter = () => {
  const spent: Spent[] = [];
  const steps: Step[] = [];
  const measured = new AsyncLocalStorage<true>();

  /** Of this work alone: what other tests of the process left running logs too. */
  const recordLines = async (work: () => Promise<unknown>): Promise<{ lines: number; bytes: number }> => {
    const write = process.stdout.write;
    const level = process.env['LOG_LEVEL'];
    let [lines, bytes] = [0, 0];
    process.stdout.write = (text) => {
      if (!measured.getStore() || isOfTrouble(String(text))) return process.stderr.write(text);
      lines += 1;
      bytes += Buffer.byteLength(String(text).replaceAll(measure, '00'));
      return true;
    };
    Object.assign(process.env, { LOG_LEVEL: 'info', METRICS_NAMESPACE: metricsNamespace('prod') });
    try {
      await measured.run(true, work);
      return { lines, bytes };
    } finally {
      process.stdout.write = write;
      process.env['LOG_LEVEL'] = level ?? 'off';
      delete process.env['METRICS_NAMESPACE'];
    }
  };

  const sumOf = (kind: Spent['kind']): number =>
    spent
      .filter((one) => one.kind === kind)
      .flatMap(({ loads }) => loads)
      .reduce((sum, { units }) => sum + units, 0);

  return {
    /** For the emulator of the table. */
    onSpent: (one: Spent): void => void spent.push(one),

    /** Runs the invocations of a function, and notes what they did. `after`: what is known only then. */
    step: async (counted: Counted, work: () => Promise<unknown>, after: () => Partial<Counted> = () => ({})) => {
      spent.length = 0;
      const before = process.cpuUsage();
      const { lines, bytes } = await recordLines(work);
      const { user, system } = process.cpuUsage(before);
      const isTransaction = ({ held }: Spent): boolean => held.length > 0;
      steps.push({
        ...{ queueRequests: 0, queueWaits: 0, published: 0, outside: {}, isRequest: false },
        ...counted,
        ...after(),
        calls: {
          read: spent.filter(({ kind }) => kind === 'Read').length,
          write: spent.filter((one) => one.kind === 'Write' && !isTransaction(one)).length,
          transaction: spent.filter((one) => one.kind === 'Write' && isTransaction(one)).length,
        },
        units: { Read: sumOf('Read'), Write: sumOf('Write') },
        logLines: lines,
        logBytes: bytes,
        processorMs: (user + system) / 1_000,
      });
    },

    /** What was noted since the last time. */
    take: (): Step[] => steps.splice(0),
  };
};

export type StepMeter = ReturnType<typeof stepMeter>;
