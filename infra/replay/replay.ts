import { AwsNotCalled } from '../aws-calls.ts';
import { StartFailure } from '../local/start-failure.ts';
import { type Clients, openClients } from './clients.ts';
import { bucketOf, keptBatches, replayBatches } from './kept-batches.ts';
import { readOptions, usage } from './options.ts';
import { countHidden, countMessages, hiddenSeconds, type Replayed, replayMessages } from './parked-messages.ts';
import { type ParkingPlace, parkingPlaces } from './parking-places.ts';

/** Prints how much is parked where, and what users notice. */
const report = async (clients: Clients, places: readonly ParkingPlace[], output: Output): Promise<void> => {
  const messages = await countMessages(
    clients,
    places.filter(({ kind }) => kind !== 'batches'),
  );
  for (const place of places) {
    const count =
      messages.get(place) ??
      (await Array.fromAsync(keptBatches(clients, await bucketOf(clients, 'failed-batches'), place.name))).length;
    output.line(`${place.name}: ${count} parked${count > 0 ? `. ${place.breaks}` : ''}`);
  }
};

const replayPlace = async (clients: Clients, place: ParkingPlace): Promise<Replayed> =>
  place.kind === 'batches'
    ? replayBatches(clients, await bucketOf(clients, 'failed-batches'), place.name)
    : replayMessages(clients, place);

/** Where the command writes its lines. */
export interface Output {
  line(text: string): void;
  error(text: string): void;
}

/** Runs `npm run replay` with these arguments. Returns its exit code. */
export const replay = async (argv: readonly string[], output: Output): Promise<number> => {
  try {
    return await replayed(argv, output);
  } catch (thrown) {
    const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    output.error(thrown instanceof StartFailure || thrown instanceof AwsNotCalled ? thrown.message : reason);
    return 1;
  }
};

const replayed = async (argv: readonly string[], output: Output): Promise<number> => {
  const options = readOptions(argv);
  if (!options) {
    output.line(usage);
    return 0;
  }
  const { place, stage, dataDirectory, isDryRun } = options;
  const clients = openClients(stage, dataDirectory);
  const hidden = await countHidden(clients);
  if (hidden > 0)
    output.error(
      `Of all parked work, ${hidden} cannot be seen now: another replay is at work, or one was killed. Run this again in ${hiddenSeconds / 60} minutes.`,
    );
  if (!place || isDryRun) {
    await report(clients, place ? [place] : parkingPlaces, output);
    return 0;
  }
  const { done, failures } = await replayPlace(clients, place);
  output.line(`${place.name}: ${done} put back, ${failures.length} still parked`);
  for (const failure of failures) output.error(failure);
  return failures.length === 0 ? 0 : 1;
};
