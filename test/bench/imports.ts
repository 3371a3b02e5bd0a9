import { setInterval as ticks } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { countConsumption } from '../consumption.ts';
import { openImporting } from '../transfer-calls.ts';
import type { World } from '../world.ts';

const sampledEveryMs = 2_000;

const rowOf = (n: number): string => `person${n}@example.com,Anna,Karenina${n % 100},vip`;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The most memory that this process holds while it works, without garbage, in megabytes. */
const highestMegabytes = async (work: () => Promise<unknown>): Promise<number> => {
  const over = new AbortController();
  let most = 0;
  const watch = async () => {
    for await (const _ of ticks(sampledEveryMs, undefined, { signal: over.signal })) {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      most = Math.max(most, heapUsed + external);
    }
  };
  const watching = watch().catch(() => {});
  await work();
  over.abort();
  await watching;
  return Math.round(most / 2 ** 20);
};

/** What an import costs, by the rows of its file. The memory includes that of the emulated S3, which holds the file. */
export const benchImports = async (world: World, sizes: readonly number[]) => {
  const consumption = countConsumption(world.calls);
  const rows: Record<string, Record<string, unknown>> = {};
  for (const size of sizes) {
    const { importFile } = await openImporting(world);
    const file = ['email,firstName,lastName,tags', ...Array.from({ length: size }, (_, n) => rowOf(n))].join('\n');
    const startMs = performance.now();
    let created = 0;
    let megabytes = 0;
    const { calls, units } = await consumption.of(async () => {
      megabytes = await highestMegabytes(async () => {
        created = (await importFile(file)).created;
      });
    });
    rows[size] = {
      created,
      'rows a second': Math.round((size * 1_000) / (performance.now() - startMs)),
      'calls a row': Number((calls / size).toFixed(2)),
      'units a row': Number((units / size).toFixed(1)),
      'megabytes held at most': megabytes,
    };
  }
  return rows;
};
