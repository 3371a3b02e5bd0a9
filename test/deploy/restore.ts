import assert from 'node:assert/strict';
import {
  DescribeTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { type Calls, eventually } from './calls.ts';
import { type Emulator, mailsAt } from './emulator.ts';
import type { Made } from './smoke.ts';

const restored = 'prod-data-restored-1';

/** The deployment whose table is restored, and what its owner does. */
interface Restorable {
  readonly calls: Calls;
  readonly emulator: Emulator;
  readonly made: Pick<Made, 'key'>;
  /** The table that serves until now. */
  readonly former: string;
  /** Runs a command of the repository. */
  command(name: 'restore' | 'sending', ...args: string[]): Promise<string>;
  /** Deploys with the value of `RESTORED_TABLE`. */
  swap(restoredTable: string): Promise<unknown>;
  say(step: string): void;
}

/**
 * Walks the page /docs/restore. The emulator restores a table as it is, so the restored time is the one of the copy, and the pause comes after what
 * happens since. Returns a look, for some minutes later, whether each mail was sent once.
 */
export const restoreTable = async (given: Restorable): Promise<() => Promise<void>> => {
  const { calls, emulator, made, former, command, swap, say } = given;
  const mails = scheduledMails(calls, made.key);
  const sent = await mails.schedule('Sent before the restore', 65);
  const waiting = await mails.schedule('Waits over the restore', 130);
  const cancelled = await mails.schedule('Cancelled before the restore', 3_600);
  const table = restoredTable(emulator.client, former);
  await table.copy();
  await mails.cancel(cancelled);
  await eventually('the mail before the restore', 120, async () => assert.equal(await mails.statusOf(sent), 'sent'));
  say('the table is restored to a time at which three mails wait, of which one is sent since, and one is cancelled');

  await command('sending', 'pause');
  const settle = ['settle', '--table', restored, '--former', former];
  const settled = 'Messages: 2 known, 0 uncertain, 1 held. Refunds: 0 uncertain. Receipts: \\d+ known, 0 uncertain.';
  assert.match(await command('restore', ...settle, '--dry-run'), new RegExp(`${settled} Nothing was changed.`));
  assert.match(await command('restore', ...settle), new RegExp(`${settled}$`, 'm'));
  say('sending is paused, and the restored table is settled');

  await swap(await table.prepare());
  assert.equal((await command('sending', 'state')).match(/are paused$/gm)?.length, 3);
  // The former table knows no cancelled mail.
  assert.deepEqual([await mails.statusOf(cancelled), await mails.statusOf(waiting)], ['queued', 'queued']);
  say('the functions use the restored table, and all sending is still paused');

  assert.match(await command('restore', 'review'), new RegExp(`${cancelled}.*\\n1 wait`));
  await command('restore', 'end', cancelled);
  assert.equal(await mails.statusOf(cancelled), 'failed');
  await command('sending', 'resume');
  await eventually('the mail after the restore', 180, async () => assert.equal(await mails.statusOf(waiting), 'sent'));
  say('after the resume, the mail that waited is sent');
  return async () => {
    const all = await mailsAt(emulator);
    const times = mails.subjects.map((subject) => all.split(`"${subject}"`).length - 1);
    assert.deepEqual(times, [1, 1, 0], mails.subjects.join(', '));
  };
};

/** The mails of one account that are to be sent later. */
const scheduledMails = ({ made, call }: Calls, key: string) => {
  const headers = { 'x-api-key': key };
  const subjects: string[] = [];
  return {
    subjects,
    schedule: async (subject: string, aheadSeconds: number): Promise<string> => {
      subjects.push(subject);
      const sendAt = new Date(Date.now() + aheadSeconds * 1_000).toISOString();
      const mail = { channel: 'email', to: 'ada@example.com', subject, text: 'x', sendAt };
      return (await made('POST', '/api/v1/messages', headers, mail)).id;
    },
    cancel: async (id: string): Promise<void> => {
      await made('DELETE', `/api/v1/messages/${id}`, headers);
      assert.equal((await call('GET', `/api/v1/messages/${id}`, headers)).status, 404);
    },
    statusOf: async (id: string): Promise<string> => (await made('GET', `/api/v1/messages/${id}`, headers)).status,
  };
};

/** Steps 2 and 4 of the page. */
const restoredTable = (settings: Emulator['client'], former: string) => {
  const client = new DynamoDBClient(settings);
  const exists = () => waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: restored });
  return {
    copy: async (): Promise<void> => {
      const tables = { SourceTableName: former, TargetTableName: restored };
      await client.send(new RestoreTableToPointInTimeCommand({ ...tables, UseLatestRestorableTime: true }));
      await exists();
    },
    /** Returns the setting that has it serve. */
    prepare: async (): Promise<string> => {
      const TableName = restored;
      await client.send(
        new UpdateTableCommand({
          TableName,
          DeletionProtectionEnabled: true,
          StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
        }),
      );
      await exists();
      const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expiresAt' };
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
      const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
      await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      const { Table: before } = await client.send(new DescribeTableCommand({ TableName: former }));
      const tags = { application: 'messaging-and-checkout', stage: 'prod' };
      const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
      await client.send(new TagResourceCommand({ ResourceArn: Table?.TableArn, Tags }));
      const replaced = [{ Key: 'replaced-by', Value: restored }];
      await client.send(new TagResourceCommand({ ResourceArn: before?.TableArn, Tags: replaced }));
      return Table?.LatestStreamArn?.split(':table/')[1] ?? assert.fail('The restored table has no stream.');
    },
  };
};
