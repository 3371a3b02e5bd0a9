import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartFailure } from '../local/start-failure.ts';
import { parkingPlaces } from './parking-places.ts';

export const usage = `npm run replay -- [<queue>] [--stage prod] [--data-dir .local] [--dry-run]

Retries parked work of a queue: jobs and batches that failed too often. Fix the cause first. Without a queue, counts what is parked in all.

  --stage     a deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
  --data-dir  the data directory of the local stack (default: .local)
  --dry-run   only count the parked work
  --help      show this

Queues: ${parkingPlaces.map(({ name }) => name).join(', ')}`;

/**
 * The command line of `npm run replay`; undefined when help is requested.
 * @throws StartFailure
 */
export const readOptions = (argv: readonly string[]) => {
  const { values, positionals } = parsed(argv);
  if (values.help) return undefined;
  const [name, ...others] = positionals;
  if (others.length > 0) throw new StartFailure(`Name one queue. ${usage}`);
  const place = parkingPlaces.find((each) => each.name === name);
  if (name !== undefined && !place)
    throw new StartFailure(
      `There is no queue ${name}. The queues are: ${parkingPlaces.map((each) => each.name).join(', ')}`,
    );
  return { place, stage: values.stage, dataDirectory: resolve(values['data-dir']), isDryRun: values['dry-run'] };
};

const parsed = (argv: readonly string[]) => {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        stage: { type: 'string' },
        'data-dir': { type: 'string', default: '.local' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch {
    throw new StartFailure(`Unknown option. ${usage}`);
  }
};
