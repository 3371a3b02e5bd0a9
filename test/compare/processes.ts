import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What processes have used. */
export interface Usage {
  readonly processorMs: number;
  readonly residentMegabytes: number;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly usage: Usage;
}

/** Linux counts the processor's time in hundredths of a second, and memory in pages of 4 KB. */
const tickMs = 10;
const pageBytes = 4_096;

const processOf = (pid: number): Process[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name in parentheses, may contain spaces; these are the third and the following.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system, pages] = [1, 11, 12, 21].map((at) => Number(fields[at]));
    const usage = {
      processorMs: ((user ?? 0) + (system ?? 0)) * tickMs,
      residentMegabytes: ((pages ?? 0) * pageBytes) / 1e6,
    };
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ pid, parent: parent ?? 0, command, usage }];
  } catch {
    // It has ended.
    return [];
  }
};

/**
 * Usage so far of these processes and all that they have started and that still run, by the first of these parts that a command line shows. Empty
 * elsewhere than on Linux.
 */
export const usageOf = (
  roots: readonly number[],
  parts: Readonly<Record<string, RegExp>>,
): ReadonlyMap<string, Usage> => {
  const names = existsSync('/proc') ? readdirSync('/proc') : [];
  const all = names.filter(Number).map(Number).flatMap(processOf);
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const withChildren = (one: Process): Process[] => [one, ...(byParent.get(one.pid) ?? []).flatMap(withChildren)];
  const family = all.filter(({ pid }) => roots.includes(pid)).flatMap(withChildren);
  const partOf = ({ command }: Process) => Object.entries(parts).find(([, pattern]) => pattern.test(command))?.[0];
  const usage = new Map<string, Usage>();
  for (const one of family) {
    const part = partOf(one) ?? 'other';
    const { processorMs, residentMegabytes } = usage.get(part) ?? { processorMs: 0, residentMegabytes: 0 };
    usage.set(part, {
      processorMs: processorMs + one.usage.processorMs,
      residentMegabytes: residentMegabytes + one.usage.residentMegabytes,
    });
  }
  return usage;
};
