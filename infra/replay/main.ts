import { StartFailure } from '../local/start-failure.ts';
import { type Clients, openClients } from './clients.ts';
import { bucketOf, keptBatches, replayBatches } from './kept-batches.ts';
import { readOptions, usage } from './options.ts';
import { countMessages, queueUrlOf, type Replayed, replayJobs, replayNews } from './parked-messages.ts';
import type { ParkingPlace } from './parking-places.ts';

/** The work parked in one place, and its replay. */
const openPlace = async (clients: Clients, place: ParkingPlace) => {
  const { name } = place;
  if (place.kind === 'batches') {
    const bucket = await bucketOf(clients);
    return {
      count: async () => (await Array.fromAsync(keptBatches(clients, bucket, name))).length,
      replay: () => replayBatches(clients, bucket, name),
    };
  }
  const parked = await queueUrlOf(clients, place.deadLetters);
  const source = place.kind === 'jobs' ? await queueUrlOf(clients, name) : undefined;
  return {
    count: () => countMessages(clients.sqs, parked),
    replay: (): Promise<Replayed> =>
      source === undefined ? replayNews(clients, parked) : replayJobs(clients.sqs, parked, source),
  };
};

const replay = async (argv: readonly string[]): Promise<number> => {
  const options = readOptions(argv);
  if (!options) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const { place, stage, dataDirectory, isDryRun } = options;
  const parked = await openPlace(openClients(stage, dataDirectory), place);
  if (isDryRun) {
    process.stdout.write(`${place.name}: ${await parked.count()} parked\n`);
    return 0;
  }
  const { done, failures } = await parked.replay();
  process.stdout.write(`${place.name}: ${done} put back, ${failures.length} still parked\n`);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  return failures.length === 0 ? 0 : 1;
};

try {
  process.exitCode = await replay(process.argv.slice(2));
} catch (thrown) {
  const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  process.stderr.write(`${thrown instanceof StartFailure ? thrown.message : reason}\n`);
  process.exitCode = 1;
}
