import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { TableSpec } from '../infra/local/blueprint.ts';
import { type DynamodbLimitsOptions, startDynamodbLimits } from '../infra/local/emulators/dynamodb-limits.ts';
import { startKms } from '../infra/local/emulators/kms.ts';
import { startS3 } from '../infra/local/emulators/s3.ts';
import { startSes } from '../infra/local/emulators/ses.ts';
import { localEndpoint } from '../infra/local/local-client.ts';
import { type AccountSettings, newAccountSettings } from '../shared/accounts/account.ts';
import { scopes as allScopes, makeApiKey, type Scope } from '../shared/accounts/api-key.ts';
import type { Credits } from '../shared/accounts/credits.ts';
import { type AttributeValue, valuesOf } from '../shared/aws/attribute-values.ts';
import { openAwsService } from '../shared/aws/aws-service.ts';
import { type CallName, openDynamoDb } from '../shared/aws/dynamodb.ts';
import { openFileStore } from '../shared/aws/file-store.ts';
import { dataKeyMaker, openVault } from '../shared/aws/vault.ts';
import { type CheckoutKeyKind, type CheckoutKeyLimits, makeCheckoutKey } from '../shared/checkout/checkout-key.ts';
import type { Connection } from '../shared/connection.ts';
import { accountPeopleSurface } from '../shared/http/account-people-surface.ts';
import { apiKeySurface } from '../shared/http/api-key-surface.ts';
import { type AcceptedKeys, checkoutSurface } from '../shared/http/checkout-surface.ts';
import { payerSurface } from '../shared/http/payer-surface.ts';
import type { PeopleCaller } from '../shared/http/people-surface.ts';
import { envelope, olderEnvelope, type Surface } from '../shared/http/surface.ts';
import type { AccountRef } from '../shared/kit/account-ref.ts';
import { newId } from '../shared/kit/id.ts';
import type { Clock } from '../shared/kit/time.ts';
import { callbackUrls, inboundTokens } from '../shared/messages/callback-urls.ts';
import { messageLinks, messageTokens } from '../shared/messages/message-link.ts';
import { sesProvider } from '../shared/providers/email/ses.ts';
import { openSesCall } from '../shared/providers/email/ses-call.ts';
import * as factories from '../shared/stores.ts';
import { keyRingStore } from '../shared/table/accounts/key-ring-store.ts';
import { spreadStore } from '../shared/table/messages/spread-store.ts';
import { openTable } from '../shared/table/table.ts';
import { openExportFiles } from '../shared/table/transfers/export-files.ts';
import { openImportFiles } from '../shared/table/transfers/import-files.ts';
import { openUploadedFiles } from '../shared/table/transfers/uploaded-files.ts';
import { type FaultRates, startDynamodbFaults } from './dynamodb-faults.ts';
import { openPlainPost } from './plain-post.ts';
import { tapped } from './tapped-dynamodb.ts';
import { giveBack, takeDatabase } from './world-databases.ts';

/** The table of the data stack; `test/templates.test.ts` checks that both are equal. */
export const tableSpec: TableSpec = {
  name: 'test',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/test',
  attributes: ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'].map((name) => ({ name, type: 'S' })),
  key: { partition: 'PK', sort: 'SK' },
  indexes: [
    { name: 'GSI1', key: { partition: 'GSI1PK', sort: 'GSI1SK' }, projection: 'ALL' },
    { name: 'GSI2', key: { partition: 'GSI2PK', sort: 'GSI2SK' }, projection: 'KEYS_ONLY' },
  ],
  ttlAttribute: 'expiresAt',
  streamView: 'NEW_AND_OLD_IMAGES',
};

/** No row expires by itself: tests have a time of their own, and each minute the emulator would delete what has expired by the real clock. */
const { ttlAttribute: _, ...changingTable } = tableSpec;

/** A table that only holds rows: its emulator records no changes. */
const { streamView: __, ...restingTable } = changingTable;

type Stores = { readonly [Name in keyof typeof factories]: ReturnType<(typeof factories)[Name]> };

/** The stores that the functions use, on a connection of the tests. */
const storesOn = (connection: Connection): Stores =>
  Object.fromEntries(Object.entries(factories).map(([name, make]) => [name, make(connection)])) as Stores;

type Attributes = Readonly<Record<string, AttributeValue>>;

const attributes = z.custom<Attributes>();
const scanned = z.object({ Items: z.array(attributes), LastEvaluatedKey: attributes.optional() });

interface AccountWishes {
  readonly settings?: Partial<AccountSettings>;
  readonly credits?: Partial<Credits>;
  readonly scopes?: readonly Scope[];
  readonly rateLimitPerMinute?: number;
}

export interface TestAccount {
  readonly ref: AccountRef;
  /** An API key with these scopes. */
  readonly key: string;
}

interface WorldWishes {
  /** The seeded faults of table calls. Changed by `world.faults`. */
  readonly faults?: { readonly seed: number; readonly rates: FaultRates };
  /** A layer before the table that behaves as AWS does. */
  readonly limits?: Omit<DynamodbLimitsOptions, 'url' | 'tables'>;
  /** The table keeps its changes for readers of its stream, which takes a third of the time of a write. */
  readonly hasStream?: boolean;
  /** The master key of the key service, in base64; a new one by default. */
  readonly kmsKey?: string;
}

/** An operator of the platform, for tests that are not about who calls. */
export const platformOperators: Surface<PeopleCaller> = {
  identify: async () => ({
    headers: {},
    who: {
      caller: {
        ...{ kind: 'token', id: 'test', hash: 'test', person: 'token', email: null, name: 'operator' },
        ...{ isOperator: true, roles: {}, expiresAt: null },
      },
      lent: { actor: new Uint8Array(), sealedKey: '' },
    },
  }),
  faultBody: envelope,
};

/** Storage and providers on real emulators, for the tests of one file. */
export const startWorld = async (wishes: WorldWishes = {}) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'world-'));
  if (wishes.kmsKey) writeFileSync(join(dataDirectory, 'kms.key'), Buffer.from(wishes.kmsKey, 'base64'));
  const keptTable = wishes.hasStream ? changingTable : restingTable;
  const [database, kms, ses, s3] = await Promise.all([
    takeDatabase(keptTable),
    startKms({ dataDirectory }),
    startSes({ dataDirectory }),
    startS3({ dataDirectory, buckets: [{ name: 'files', expirations: [] }] }),
  ]);
  const { dynamodb } = database;
  const faults = await startDynamodbFaults({ url: dynamodb.url, ...wishes.faults });
  const limits =
    wishes.limits && (await startDynamodbLimits({ url: dynamodb.url, tables: [tableSpec], ...wishes.limits }));
  const keyService = openAwsService('kms', localEndpoint(kms.url));
  const url = limits?.url ?? (wishes.faults ? faults.url : dynamodb.url);
  const post = url === dynamodb.url ? openPlainPost(url) : undefined;
  const calls = tapped(openDynamoDb(localEndpoint(url), post));
  const scanner = openAwsService('dynamodb', localEndpoint(dynamodb.url));
  const table = openTable(calls, tableSpec.name);
  const vault = openVault(keyService, keyRingStore(table));
  const dataKeys = dataKeyMaker(keyService, 'test-key');
  const stores = storesOn({ table, vault, spreads: spreadStore(table) });
  const { accounts, apiKeys, audit, checkoutKeys, credits, rates, idempotencyKeys } = stores;

  const files = openFileStore(localEndpoint(`${s3.url}/files`));

  const setCredits = (account: AccountRef, values: Credits): Promise<void> =>
    credits.set(account, values, { id: newId(Date.now()), who: 'test', reason: null });

  return {
    dynamodb,
    /** What the emulator of DynamoDB keeps its tables in. */
    databaseFile: database.file,
    faults,
    ses,
    s3,
    calls,
    table,
    vault,
    /** The vault of another function, with this clock. */
    vaultAt: (clock: Clock) => openVault(keyService, keyRingStore(table), clock),
    dataKeys,
    ...stores,
    files,
    uploadedFiles: openUploadedFiles(files),
    importFiles: openImportFiles(files),
    exportFiles: openExportFiles(files),
    setCredits,
    peopleAddress: 'sign-in@platform.example',
    email: sesProvider(openSesCall(localEndpoint(ses.url))),
    messageLinks: messageLinks(vault, 'https://api.example.com'),
    messageTokens: messageTokens(vault),
    callbackUrls: callbackUrls(vault, 'https://api.example.com'),
    inboundTokens: inboundTokens(vault),

    /** Callers with an API key that has this scope, or with any. */
    callers: (scope?: Scope) => apiKeySurface({ apiKeys, audit, idempotencyKeys, scope }),

    /** Operators of an account. */
    accountOperators: () => accountPeopleSurface({ callers: platformOperators, accounts, idempotencyKeys }),

    /** The same on the webhook endpoints, which refuse in the older shape. */
    webhookCallers: () => ({
      ...apiKeySurface({ apiKeys, audit, idempotencyKeys, scope: 'webhooks:manage' }),
      faultBody: olderEnvelope,
    }),

    /** Callers with a checkout key. */
    checkoutCallers: (accepts: AcceptedKeys = 'secret-or-publishable') =>
      checkoutSurface({ accounts, checkoutKeys, audit, accepts }),

    /** Callers without a key. */
    payers: () => payerSurface({ rates }),

    /** A checkout key of an account: a secret test key by default. */
    newCheckoutKey: async (
      account: AccountRef,
      {
        kind = 'secret',
        livemode = false,
        rateLimitPerMinute = 100_000,
        ...limits
      }: CheckoutKeyLimits & { kind?: CheckoutKeyKind; livemode?: boolean; rateLimitPerMinute?: number } = {},
    ): Promise<string> => {
      const nowMs = Date.now();
      const key = makeCheckoutKey(kind, livemode);
      const fields = { id: newId(nowMs), name: 'test', kind, livemode, rateLimitPerMinute, limits };
      await checkoutKeys.create(account, key, fields, nowMs);
      return key;
    },

    /** An account with 100 credits on each counter, the verified domain example.com and a key with all scopes by default. */
    newAccount: async ({
      settings,
      credits: wished,
      scopes = allScopes,
      rateLimitPerMinute = 100_000,
    }: AccountWishes = {}): Promise<TestAccount> => {
      const nowMs = Date.now();
      const id = newId(nowMs);
      const ref: AccountRef = { id, sealedKey: await dataKeys.create(id) };
      const defaults = newAccountSettings('Test');
      const email = { ...defaults.email, fromAddress: 'hello@example.com', verifiedDomains: ['example.com'] };
      await accounts.create(ref, { ...defaults, email, ...settings }, nowMs);
      await setCredits(ref, { email: 100, smsMasked: 100, smsNonMasked: 100, ...wished });
      const key = makeApiKey();
      await apiKeys.create(ref, key, { id: newId(nowMs), name: 'test', scopes, rateLimitPerMinute }, nowMs);
      return { ref, key };
    },

    /**
     * From now on, table calls that `isLost` selects by name and input are executed, and their answers are lost. The client repeats
     * a call whose connection was reset; with `forGood` it does not. Returns a function that ends this.
     */
    loseAnswers: (isLost: (call: CallName, input: string) => boolean, { forGood = false } = {}): (() => void) =>
      calls.tap('lose-answers', (next) => async (name, input) => {
        const [answer] = await Promise.allSettled([next(name, input)]);
        if (isLost(name, JSON.stringify(input)))
          throw Object.assign(new Error('socket hang up'), !forGood && { code: 'ECONNRESET' });
        if (answer.status === 'fulfilled') return answer.value;
        throw answer.reason;
      }),

    /** Every item of the table, as stored. */
    scan: async () => {
      const items: Record<string, unknown>[] = [];
      let from: Attributes | undefined;
      do {
        const input = { TableName: tableSpec.name, ExclusiveStartKey: from };
        const page = scanned.parse(await scanner.send({ target: 'DynamoDB_20120810.Scan', input }));
        items.push(...page.Items.map(valuesOf));
        from = page.LastEvaluatedKey;
      } while (from);
      return items;
    },

    close: async (): Promise<void> => {
      await limits?.close();
      await faults.close();
      await Promise.all([kms.close(), ses.close(), s3.close()]);
      giveBack(keptTable, database);
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
};

export type World = Awaited<ReturnType<typeof startWorld>>;
