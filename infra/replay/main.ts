import { StartFailure } from '../local/start-failure.ts';
import { type Clients, openClients } from './clients.ts';
import { bucketOf, keptBatches, replayBatches } from './kept-batches.ts';
import { readOptions, usage } from './options.ts';
import { countMessages, type Replayed, replayMessages } from './parked-messages.ts';
import { type ParkingPlace, parkingPlaces } from './parking-places.ts';

/** The work parked in one place, and its replay. */
const openPlace = async (clients: Clients, place: ParkingPlace) => {
  const { name, kind } = place;
  if (kind !== 'batches')
    return {
      count: () => countMessages(clients, place),
      replay: (): Promise<Replayed> => replayMessages(clients, place),
    };
  const bucket = await bucketOf(clients);
  return {
    count: async () => (await Array.fromAsync(keptBatches(clients, bucket, name))).length,
    replay: () => replayBatches(clients, bucket, name),
  };
};

/** Prints how much is parked where, and what users notice. */
const report = async (clients: Clients, places: readonly ParkingPlace[]): Promise<void> => {
  for (const place of places) {
    const count = await (await openPlace(clients, place)).count();
    process.stdout.write(`${place.name}: ${count} parked${count > 0 ? `. ${place.breaks}` : ''}\n`);
  }
};

const replay = async (argv: readonly string[]): Promise<number> => {
  const options = readOptions(argv);
  if (!options) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const { place, stage, dataDirectory, isDryRun } = options;
  const clients = openClients(stage, dataDirectory);
  if (!place || isDryRun) {
    await report(clients, place ? [place] : parkingPlaces);
    return 0;
  }
  const parked = await openPlace(clients, place);
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
