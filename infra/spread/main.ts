import { commandOf, runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { openDeployment } from '../operators/deployment.ts';
import { spreading } from './spread.ts';

const help = `npm run spread -- <account id> [--credits <number>] [--messages <number>] [--stage prod]

Spreads the traffic of a busy account over more of the table, for example before a large campaign. No number can be lowered again.
Without numbers, prints those that the account has.

  --credits 16        The number of items that hold the account’s credits: a power of two, at most 64
  --messages 4        The number of partitions for new messages of each channel, from two minutes later on: a power of two, at most 16
  --dry-run           Only says what the numbers would be
  --stage prod        A deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
`;

export const spreadCommand = commandOf({
  help,
  options: {
    credits: { type: 'string' },
    messages: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    stage: { type: 'string' },
  },
  run: async ({ values, positionals: [account, ...others], stack, nowMs, print }) => {
    const { credits, messages, stage, 'dry-run': isDryRun } = values;
    if (account === undefined || others.length > 0)
      throw new StartFailure('Name one account by its id. --help shows how.');
    const deployment = await openDeployment({ stage, stack, nowMs });
    const spread = spreading(deployment, deployment.nowMs);
    const after = await spread(account, { credits, messages, isDryRun });
    const { creditShards, messageShards } = after;
    const rest = isDryRun ? '. Nothing was changed.' : '';
    print(`${account}  credits ${creditShards}, messages ${messageShards}${rest}`, { account, ...after, isDryRun });
    return 0;
  },
});

if (import.meta.main) await runCommand(spreadCommand);
