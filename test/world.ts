import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SESClient } from '@aws-sdk/client-ses';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { TableSpec } from '../infra/local/blueprint.ts';
import { startDynamodb } from '../infra/local/emulators/dynamodb.ts';
import { type FaultRates, startDynamodbFaults } from '../infra/local/emulators/dynamodb-faults.ts';
import { startKms } from '../infra/local/emulators/kms.ts';
import { startSes } from '../infra/local/emulators/ses.ts';
import { localClient } from '../infra/local/local-client.ts';
import { type AccountSettings, newAccountSettings } from '../shared/accounts/account.ts';
import { scopes as allScopes, makeApiKey, type Scope } from '../shared/accounts/api-key.ts';
import type { Credits } from '../shared/accounts/credits.ts';
import { dataKeyMaker, openVault } from '../shared/aws/vault.ts';
import { type CheckoutKeyKind, type CheckoutKeyLimits, makeCheckoutKey } from '../shared/checkout/checkout-key.ts';
import { apiKeySurface } from '../shared/http/api-key-surface.ts';
import { checkoutSurface } from '../shared/http/checkout-surface.ts';
import { operatorSurface } from '../shared/http/operator-surface.ts';
import { olderEnvelope } from '../shared/http/surface.ts';
import { visitorSurface } from '../shared/http/visitor-surface.ts';
import type { AccountRef } from '../shared/kit/account-ref.ts';
import { newId } from '../shared/kit/id.ts';
import { callbackUrls, inboundTokens } from '../shared/messages/callback-urls.ts';
import { messageLinks, messageTokens } from '../shared/messages/message-link.ts';
import { sesProvider } from '../shared/providers/email/ses.ts';
import { handOverSettings } from '../shared/providers/http/aws-call.ts';
import { retriedSettings } from '../shared/providers/http/aws-retry.ts';
import { accountStorage } from '../shared/table/account-storage.ts';
import { analyticsStorage } from '../shared/table/analytics-storage.ts';
import { apiKeyStorage } from '../shared/table/api-key-storage.ts';
import { attemptStorage } from '../shared/table/attempt-storage.ts';
import { checkoutKeyStorage } from '../shared/table/checkout-key-storage.ts';
import { checkoutStorage } from '../shared/table/checkout-storage.ts';
import { consentStorage } from '../shared/table/consent-storage.ts';
import { contactStorage } from '../shared/table/contact-storage.ts';
import { creditStorage } from '../shared/table/credit-storage.ts';
import { deliveryStorage } from '../shared/table/delivery-storage.ts';
import { eventStorage } from '../shared/table/event-storage.ts';
import { gatewayTokenStorage } from '../shared/table/gateway-token-storage.ts';
import { inboundStorage } from '../shared/table/inbound-storage.ts';
import { messageStorage } from '../shared/table/message-storage.ts';
import { methodStorage } from '../shared/table/method-storage.ts';
import { outcomeStorage } from '../shared/table/outcome-storage.ts';
import { paceStorage } from '../shared/table/pace-storage.ts';
import { rateStorage } from '../shared/table/rate-storage.ts';
import { refundStorage } from '../shared/table/refund-storage.ts';
import { replayStorage } from '../shared/table/replay-storage.ts';
import { sendStorage } from '../shared/table/send-storage.ts';
import { strandedStorage } from '../shared/table/stranded-storage.ts';
import { strikeStorage } from '../shared/table/strike-storage.ts';
import { openTable } from '../shared/table/table.ts';
import { templateStorage } from '../shared/table/template-storage.ts';
import { templateSyncStorage } from '../shared/table/template-sync.ts';
import { textSendStorage } from '../shared/table/text-send-storage.ts';
import { textTurnStorage } from '../shared/table/text-turn-storage.ts';
import { trafficStorage } from '../shared/table/traffic-storage.ts';
import { unreportedStorage } from '../shared/table/unreported-storage.ts';
import { webhookStorage } from '../shared/table/webhook-storage.ts';
import { windowStorage } from '../shared/table/window-storage.ts';

/** The table of the data stack; `test/templates.test.ts` keeps the two alike. */
export const tableSpec: TableSpec = {
  name: 'test',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/test',
  attributes: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((name) => ({ name, type: 'S' })),
  key: { partition: 'PK', sort: 'SK' },
  indexes: [{ name: 'GSI1', key: { partition: 'GSI1PK', sort: 'GSI1SK' } }],
  ttlAttribute: 'expiresAt',
  streamView: 'NEW_AND_OLD_IMAGES',
};

interface AccountWishes {
  readonly settings?: Partial<AccountSettings>;
  readonly credits?: Partial<Credits>;
  readonly scopes?: readonly Scope[];
  readonly rateLimitPerMinute?: number;
}

export interface TestAccount {
  readonly ref: AccountRef;
  /** An API key with the wished scopes. */
  readonly key: string;
}

interface WorldWishes {
  /** What calls of the table meet, by seed. Changed by `world.faults`. */
  readonly faults?: { readonly seed: number; readonly rates: FaultRates };
}

/** Storage and providers on real emulators, for the tests of one file. */
export const startWorld = async (wishes: WorldWishes = {}) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'world-'));
  const [dynamodb, kms, ses] = await Promise.all([
    startDynamodb({ dataDirectory, tables: [tableSpec] }),
    startKms({ dataDirectory }),
    startSes({ dataDirectory }),
  ]);
  const faults = await startDynamodbFaults({ url: dynamodb.url, ...wishes.faults });
  const client = new DynamoDBClient({
    ...localClient(wishes.faults ? faults.url : dynamodb.url),
    ...retriedSettings,
  });
  const kmsClient = new KMSClient({ ...localClient(kms.url), ...retriedSettings });
  // A client of its own: two document clients on one client would share the options of the later one.
  const scanner = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(dynamodb.url)));
  const table = openTable(client, tableSpec.name);
  const vault = openVault(kmsClient);
  const dataKeys = dataKeyMaker(kmsClient, 'test-key');
  const accounts = accountStorage(table, vault);
  const apiKeys = apiKeyStorage(table);
  const credits = creditStorage(table, vault);
  const checkoutKeys = checkoutKeyStorage(table);
  const consents = consentStorage(table, vault);
  const contacts = contactStorage(table, vault);
  const messages = messageStorage(table, vault);
  const replays = replayStorage(table, vault);
  const templates = templateStorage(table, vault);
  const windows = windowStorage(table, vault);

  const setCredits = (account: AccountRef, values: Credits): Promise<void> =>
    credits.set(account, values, { id: newId(Date.now()), who: 'test', reason: null });

  return {
    dynamodb,
    faults,
    ses,
    client,
    table,
    vault,
    dataKeys,
    accounts,
    analytics: analyticsStorage(table),
    apiKeys,
    checkoutKeys,
    credits,
    setCredits,
    checkouts: checkoutStorage(table, vault),
    gatewayTokens: gatewayTokenStorage(table, vault),
    methods: methodStorage(table, vault),
    replays,
    contacts,
    consents,
    windows,
    inbounds: inboundStorage(table, vault, { consents, windows }),
    messages,
    outcomes: outcomeStorage(table, vault, { messages, contacts }),
    refunds: refundStorage(table, vault),
    sends: sendStorage(table, vault),
    stranded: strandedStorage(table),
    strikes: strikeStorage(table, { contacts }),
    templates,
    webhooks: webhookStorage(table, vault, 'messaging'),
    checkoutWebhooks: webhookStorage(table, vault, 'checkout'),
    events: eventStorage(table, vault),
    attempts: attemptStorage(table, vault),
    deliveries: deliveryStorage(table, vault),
    paces: paceStorage(table),
    templateSync: templateSyncStorage(templates),
    textSends: textSendStorage(table, vault),
    textTurns: textTurnStorage(table),
    unreported: unreportedStorage(table, vault),
    traffic: trafficStorage(table, vault),
    email: sesProvider(new SESClient({ ...localClient(ses.url), ...handOverSettings })),
    messageLinks: messageLinks(vault, 'https://api.example.com'),
    messageTokens: messageTokens(vault),
    callbackUrls: callbackUrls(vault, 'https://api.example.com'),
    inboundTokens: inboundTokens(vault),

    /** Callers with an API key that has this scope. */
    callers: (scope: Scope) => apiKeySurface({ apiKeys, replays, scope }),

    /** Operators at work on an account. */
    accountOperators: () => operatorSurface({ accounts, replays }),

    /** The same on the webhook endpoints, which refuse in the older shape. */
    webhookCallers: () => ({
      ...apiKeySurface({ apiKeys, replays, scope: 'webhooks:manage' }),
      faultBody: olderEnvelope,
    }),

    /** Callers with a checkout key. */
    checkoutCallers: () => checkoutSurface({ accounts, checkoutKeys }),

    /** Callers without a key. */
    visitors: () => visitorSurface({ rates: rateStorage(table) }),

    /** A checkout key of an account: a test secret one, unless wished otherwise. */
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

    /** An account with 100 credits on each counter, the verified domain example.com and a key with all scopes, unless wished otherwise. */
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
     * From now on, calls to the table that `isLost` picks by command and input are carried out, and their answers are lost. The table repeats
     * a call whose connection was reset; `forGood` it does not. Returns what ends that.
     */
    loseAnswers: (isLost: (command: string, input: string) => boolean, { forGood = false } = {}): (() => void) => {
      client.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            const [answer] = await Promise.allSettled([next(args)]);
            if (!isLost(String(commandName), JSON.stringify(args.input))) {
              if (answer.status === 'fulfilled') return answer.value;
              throw answer.reason;
            }
            throw Object.assign(new Error('socket hang up'), !forGood && { code: 'ECONNRESET' });
          },
        { step: 'deserialize', priority: 'high', name: 'lose-answers', override: true },
      );
      return () => void client.middlewareStack.remove('lose-answers');
    },

    /** Every item of the table, as it lies there. */
    scan: async () => (await scanner.send(new ScanCommand({ TableName: tableSpec.name }))).Items ?? [],

    close: async (): Promise<void> => {
      await faults.close();
      await Promise.all([dynamodb.close(), kms.close(), ses.close()]);
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
};

export type World = Awaited<ReturnType<typeof startWorld>>;
