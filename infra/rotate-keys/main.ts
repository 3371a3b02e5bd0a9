import { commandOf, runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { openDeployment } from '../operators/deployment.ts';
import { rotateKeys } from './rotate-keys.ts';

const help = `npm run rotate-keys -- [--account <id>] [--stage prod]

Gives every account a new data key, which seals what is written an hour later and after that. What is sealed already stays readable.
An account that was given a key in the last 24 hours is left out, so a run that was cut off is finished by the next one.

  --account <id>      This account only; people: the key of operators, members and the audit log (default: all)
  --dry-run           Only says which accounts would be given a key
  --stage prod        A deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
`;

export const rotateKeysCommand = commandOf({
  help,
  options: {
    account: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    stage: { type: 'string' },
  },
  run: async ({ values: { account, stage, 'dry-run': isDryRun }, positionals, stack, nowMs, print }) => {
    if (positionals.length > 0) throw new StartFailure('An account is named with --account. --help shows how.');
    const deployment = await openDeployment({ stage, stack, nowMs });
    const total = { rotated: 0, leftOut: 0 };
    for await (const { id, keys, sealsFrom, isNew } of rotateKeys(
      deployment,
      deployment.nowMs,
    )({ account, isDryRun })) {
      total[isNew ? 'rotated' : 'leftOut'] += 1;
      const newKey = `a new key ${isDryRun ? 'would seal' : 'seals'}`;
      const what = isNew ? newKey : 'has a key of the last 24 hours, which seals';
      print(`${id}  ${what} from ${sealsFrom}, key ${keys}`, { id, keys, sealsFrom, isNew, isDryRun });
    }
    const { rotated, leftOut } = total;
    const outcome = isDryRun ? 'would be given a key. Nothing was changed.' : 'given a key.';
    print(`${rotated} ${outcome} ${leftOut} left out.`, { rotated, leftOut, isDryRun });
    return 0;
  },
});

if (import.meta.main) await runCommand(rotateKeysCommand);
