import type { CommandInput } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { type Clients, openClients } from './clients.ts';
import { countBatches, replayBatches } from './kept-batches.ts';
import { hiddenSecondsOf } from './look-through.ts';
import { countMessages, countParked, type Replayed, replayMessages } from './parked-messages.ts';
import { type ParkingPlace, parkingPlaces } from './parking-places.ts';

type Input = CommandInput<{ readonly stage?: string | undefined; readonly 'dry-run': boolean }>;

/** As many as take more than a few seconds. */
const manyMessages = 1_000;
const names = parkingPlaces.map(({ name }) => name).join(', ');

const warnOfHidden = async (clients: Clients, warn: Input['warn']): Promise<void> => {
  const { shown, hidden } = await countParked(clients);
  const minutes = Math.ceil(hiddenSecondsOf(shown + hidden) / 60);
  if (hidden > 0)
    warn(
      `Of all parked work, ${hidden} cannot be seen now: another replay is at work, or one was killed. Run this again in ${minutes} minutes.`,
    );
  if (shown > manyMessages) warn(`Looking through about ${shown} parked messages. Ctrl-C stops it.`);
};

const warnOfUnseen = (unseen: number, warn: Input['warn']): void => {
  if (unseen > 0) warn(`About ${unseen} more parked messages could not be seen. Run this again.`);
};

/** Prints how much is parked where, and what users notice. */
const report = async (
  clients: Clients,
  places: readonly ParkingPlace[],
  { print, warn }: Pick<Input, 'print' | 'warn'>,
): Promise<void> => {
  const { counts, unseen } = await countMessages(clients, places);
  for (const place of places) {
    const batches = place.kind === 'batches' ? await countBatches(clients, place.name) : 0;
    const count = (counts.get(place) ?? 0) + batches;
    const { name: queue, breaks } = place;
    print(`${queue}: ${count} parked${count > 0 ? `. ${breaks}` : ''}`, { queue, count, ...(count > 0 && { breaks }) });
  }
  warnOfUnseen(unseen, warn);
};

const replayPlace = async (clients: Clients, place: ParkingPlace): Promise<Replayed> => {
  const messages = await replayMessages(clients, place);
  if (place.kind !== 'batches') return messages;
  const batches = await replayBatches(clients, place.name);
  return {
    done: messages.done + batches.done,
    failures: [...messages.failures, ...batches.failures],
    unseen: Math.max(messages.unseen, batches.unseen),
  };
};

export const replayCommand = {
  help: `npm run replay -- [<queue>] [--stage prod] [--dry-run]

Retries parked work of a queue: jobs and batches that failed too often. Fix the cause first. Without a queue, counts what is parked in all.

Queues: ${names}

  --stage prod        A deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
  --dry-run           Only counts the parked work
`,
  options: { stage: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  run: async ({ values, positionals: [name, ...others], dataDirectory, print, warn }: Input): Promise<number> => {
    if (others.length > 0) throw new StartFailure('Name one queue. --help shows all.');
    const place = parkingPlaces.find((each) => each.name === name);
    if (name !== undefined && !place) throw new StartFailure(`There is no queue ${name}. The queues are: ${names}`);
    const clients = openClients(values.stage, dataDirectory);
    await warnOfHidden(clients, warn);
    if (!place || values['dry-run']) {
      await report(clients, place ? [place] : parkingPlaces, { print, warn });
      return 0;
    }
    const { done, failures, unseen } = await replayPlace(clients, place);
    print(`${place.name}: ${done} put back, ${failures.length} still parked`, { queue: place.name, done, failures });
    for (const failure of failures) warn(failure);
    warnOfUnseen(unseen, warn);
    return failures.length + unseen === 0 ? 0 : 1;
  },
} as const;
