import { timeOfId } from '../../shared/kit/id.ts';
import { iso } from '../../shared/kit/time.ts';
import { itemKeys } from '../../shared/table/keys.ts';
import { type CommandInput, commandOf, runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { auditing } from '../operators/audited.ts';
import { type OpenedDeployment, openDeployment, servingTableOf } from '../operators/deployment.ts';
import { reviewing } from './review.ts';
import { settling } from './settle.ts';
import { settlingReceipts } from './settle-receipts.ts';
import { settlingRefunds } from './settle-refunds.ts';

const help = `npm run restore -- <what> [--stage prod]

Prepares a table that was restored to an earlier time, so that no message is sent and no refund made twice. The whole procedure is in /docs/restore.

  settle              Before the restored table is used: settles what may have been sent or refunded since
  review              Lists the messages that wait for a decision: scheduled ones, and emails that waited for the sending rate
  send <id or all>    Sends them after all
  end <id or all>     Ends them as failed, and returns their credits

  --table <name>      Of settle: the restored table (required)
  --former <name>     Of settle: the table that served until now, which knows what was sent; leave it out if it is lost or wrong
  --dry-run           Of settle, send and end: changes nothing
  --stage prod        A deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
`;

interface Values {
  readonly table?: string | undefined;
  readonly former?: string | undefined;
  readonly stage?: string | undefined;
  readonly 'dry-run': boolean;
}

type Given = Pick<CommandInput<Values>, 'values' | 'stack' | 'nowMs' | 'print'>;

const open = ({ values: { stage }, stack, nowMs }: Given, tableName?: string): Promise<OpenedDeployment> =>
  openDeployment({ stage, stack, nowMs }, tableName);

/** A table by its name, after a look whether it is there. */
const openNamed = async (given: Given, name: string): Promise<OpenedDeployment> => {
  const deployment = await open(given, name);
  await deployment.table.get(itemKeys.peopleKey()).catch((thrown: unknown) => {
    const isMissing = thrown instanceof Error && thrown.name === 'ResourceNotFoundException';
    throw isMissing ? new StartFailure(`There is no table ${name}.`) : thrown;
  });
  return deployment;
};

/** Its texts would count as sent, and never be: a table is settled before it is used. */
const refuseServing = async ({ values: { stage }, stack }: Given, name: string): Promise<void> => {
  const serving = stage === undefined ? stack().aws['table'] : await servingTableOf(stage);
  if (name === serving) throw new StartFailure(`${name} is the table that serves now. Name the restored one.`);
};

/** What is written while the stream is on would be taken for new changes: events would be published again. */
const refuseStream = async (deployment: OpenedDeployment, name: string): Promise<void> => {
  if (await deployment.hasStream())
    throw new StartFailure(
      `The stream of ${name} is on, and must be off while it is settled: aws dynamodb update-table --table-name ${name} --stream-specification StreamEnabled=false`,
    );
};

/** In the audit log, before it is done. */
const note = (deployment: OpenedDeployment, what: string): Promise<void> =>
  auditing(deployment, 'npm run restore', deployment.nowMs)(what, async () => undefined);

const settle = async (given: Given): Promise<void> => {
  const { table, former, 'dry-run': isDryRun } = given.values;
  if (table === undefined) throw new StartFailure('Name the restored table with --table. --help shows how.');
  if (table === former) throw new StartFailure('--table and --former name the same table.');
  await refuseServing(given, table);
  const known = former === undefined ? undefined : (await openNamed(given, former)).table;
  const total = { known: 0, uncertain: 0, held: 0 };
  const restored = await openNamed(given, table);
  await refuseStream(restored, table);
  if (!isDryRun) await note(restored, `settle ${table}`);
  const settled = settling(restored, restored.nowMs)({ former: known, isDryRun });
  for await (const { account, message, channel, outcome } of settled) {
    total[outcome] += 1;
    given.print(`${account}  ${message}  ${channel}  ${outcome}`, { account, message, channel, outcome });
  }
  let refunds = 0;
  for await (const { account, refund } of settlingRefunds(restored, restored.nowMs)({ isDryRun })) {
    refunds += 1;
    given.print(`${account}  ${refund}  refund  uncertain`, { account, refund, outcome: 'uncertain' });
  }
  const receipts = { known: 0, uncertain: 0 };
  for await (const { account, payment, outcome } of settlingReceipts(restored)({ former: known, isDryRun })) {
    receipts[outcome] += 1;
    given.print(`${account}  ${payment}  receipt  ${outcome}`, { account, payment, outcome });
  }
  const changed = isDryRun ? ' Nothing was changed.' : '';
  given.print(
    `Messages: ${total.known} known, ${total.uncertain} uncertain, ${total.held} held. Refunds: ${refunds} uncertain. Receipts: ${receipts.known} known, ${receipts.uncertain} uncertain.${changed}`,
    { ...total, refunds, receipts, isDryRun },
  );
};

const decisions = { review: 'wait for a decision', send: 'will be sent', end: 'ended' } as const;

const decide = async (given: Given, asked: keyof typeof decisions, id: string): Promise<void> => {
  if (asked !== 'review' && id === '')
    throw new StartFailure(`Name a message, or all: npm run restore -- ${asked} <id>`);
  const what = given.values['dry-run'] ? 'review' : asked;
  const deployment = await open(given);
  if (what !== 'review') await note(deployment, `${what} ${id}`);
  const review = reviewing(deployment, deployment.nowMs);
  const rows = what === 'review' ? review.chosen(asked === 'review' ? 'all' : id) : review[what](id);
  let count = 0;
  for await (const { account, message, channel, dueId } of rows) {
    const dueAt = iso(timeOfId(dueId));
    count += 1;
    given.print(`${account}  ${message}  ${channel}  due ${dueAt}`, { account, message, channel, dueAt });
  }
  given.print(`${count} ${decisions[what]}.`, { count });
};

export const restoreCommand = commandOf({
  help,
  options: {
    table: { type: 'string' },
    former: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    stage: { type: 'string' },
  },
  run: async ({ values, positionals: [what = '', id = '', ...others], ...rest }) => {
    if (others.length > 0) throw new StartFailure('Name one message, or all. --help shows how.');
    if (id !== '' && (what === 'settle' || what === 'review'))
      throw new StartFailure(`Leave out ${id}: ${what} is of all messages. --help shows how.`);
    if (what !== 'settle' && (values.table ?? values.former) !== undefined)
      throw new StartFailure('--table and --former are of settle. The others are of the table that serves now.');
    const given = { values, ...rest };
    if (what === 'settle') await settle(given);
    else if (what === 'review' || what === 'send' || what === 'end') await decide(given, what, id);
    else throw new StartFailure(`${what === '' ? 'Name an action' : `Unknown action: ${what}`}. --help shows how.`);
    return 0;
  },
});

if (import.meta.main) await runCommand(restoreCommand);
