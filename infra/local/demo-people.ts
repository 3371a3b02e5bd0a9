import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsError, openAwsService } from '../../shared/aws/aws-service.ts';
import { openDynamoDb } from '../../shared/aws/dynamodb.ts';
import { dataKeyMaker, openVault } from '../../shared/aws/vault.ts';
import { newId } from '../../shared/kit/id.ts';
import { platform } from '../../shared/people/person.ts';
import { keyRingStore } from '../../shared/table/accounts/key-ring-store.ts';
import { memberStore } from '../../shared/table/people/member-store.ts';
import { signInStore } from '../../shared/table/people/sign-in-store.ts';
import { openTable } from '../../shared/table/table.ts';
import { localEndpoint } from './local-client.ts';
import { StartFailure } from './start-failure.ts';
import { writeWhole } from './write-whole.ts';

/** Who owns the demo account, and operates this stack. */
const demoOwner = 'owner@example.com';

interface Place {
  readonly aws: { readonly dynamodb: string; readonly kms: string; readonly table: string };
  readonly dataDirectory: string;
}

const storesAt = ({ aws }: Place) => {
  const kms = openAwsService('kms', localEndpoint(aws.kms));
  const table = openTable(openDynamoDb(localEndpoint(aws.dynamodb)), aws.table);
  const vault = openVault(kms, keyRingStore(table));
  return {
    signIns: signInStore(table, vault),
    members: memberStore(table, vault),
    kms,
  };
};

/** A secret kept in the data directory. */
const keptSecret = (directory: string, name: string): string => {
  const file = join(directory, name);
  if (!existsSync(file)) writeWhole(file, randomBytes(32).toString('hex'));
  return readFileSync(file, 'utf8');
};

/** What `DYNAMODB_ENDPOINT` keeps outlives the key in the data directory, which `--fresh` deletes with it. */
const sealedByAnother = (thrown: unknown, { aws }: Place): unknown =>
  thrown instanceof AwsError && thrown.name === 'InvalidCiphertextException'
    ? new StartFailure(
        `The table ${aws.table} at ${aws.dynamodb} is encrypted under the key of another data directory, or of one that was deleted. Delete the table, or choose the directory of its key: npm start -- --data-dir <path>`,
        { cause: thrown },
      )
    : thrown;

/**
 * The operator token of the stack. The release before kept its admin token in the same file.
 * @throws StartFailure when the table is encrypted under another key than that of the data directory
 */
export const seedOperatorToken = async (place: Place, masterKeyId: string): Promise<string> => {
  const { signIns, kms } = storesAt(place);
  const token = `ot_${keptSecret(place.dataDirectory, 'admin-token')}`;
  const described = { id: newId(Date.now()), name: 'npm start', createdBy: 'npm start' };
  await signIns.createToken(token, described, dataKeyMaker(kms, masterKeyId)).catch((thrown: unknown) => {
    throw sealedByAnother(thrown, place);
  });
  return token;
};

/** The demo owner, and a link that signs them in more than once. Returns the link's token. */
export const seedDemoOwner = async (place: Place, accountId: string): Promise<string> => {
  const { signIns, members } = storesAt(place);
  const nowMs = Date.now();
  const person = (await members.personOf(demoOwner)) ?? '';
  const { isOperator, roles } = await members.rightsOf(person);
  const common = { email: demoOwner, invitedBy: 'npm start' };
  if (!isOperator) await members.add(platform, { ...common, id: newId(nowMs), role: 'operator' }, { isSilent: true });
  if (!roles[accountId])
    await members.add(accountId, { ...common, id: newId(nowMs), role: 'owner' }, { isSilent: true });
  const kept = keptSecret(place.dataDirectory, 'sign-in-token');
  return signIns.link({ person, email: demoOwner }, nowMs, kept);
};
