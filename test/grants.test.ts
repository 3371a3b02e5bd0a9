import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { powersFor } from '../infra/auth.ts';
import { startDynamodb } from '../infra/local/emulators/dynamodb.ts';
import { startDynamodbFront } from '../infra/local/emulators/dynamodb-front.ts';
import { closedAfterTest, temporaryDirectory } from '../infra/local/emulators-fixture.ts';
import { localClient } from '../infra/local/local-client.ts';
import { permissionsOf } from '../infra/local/permissions.ts';
import type { Statement } from '../infra/local/policy.ts';
import { readBlueprint } from '../infra/local/read-blueprint.ts';
import { type Route, routes } from '../infra/routes.ts';
import { functionName } from '../infra/rows.ts';
import { type Worker, workers } from '../infra/workers.ts';
import { areas, leadingKeysOf } from '../shared/table/areas.ts';
import { itemKeys, partitions } from '../shared/table/keys.ts';
import { statementReader } from './reached-statements.ts';
import { readTemplates } from './read-templates.ts';
import { assembly } from './testbed.ts';

const blueprint = readBlueprint(assembly);
const resources = readTemplates(assembly);
const { functions, roles, tables } = blueprint;
const tableArn = tables[0]?.arn ?? '';

/** `arn:aws:sqs:us-east-1:000000000000:local-data-payments12345678` is `payments`. */
const shortName = (arn: string): string =>
  arn
    .replace(/^arn:[^:]*:[^:]*:[^:]*:[^:]*:/, '')
    .replace(/(local-)?(data|work)-/, '')
    .replace(/^table\/\w*[0-9A-F]{8}\//, '')
    .replace(/^table\/\w*[0-9A-F]{8}$/, 'table')
    .replace(/[0-9A-F]{8}(?=$|\/)/, '');

/** Patterns of partition keys as the areas that they make up. */
const areasIn = (patterns: readonly string[]): string => {
  const whole = areas.filter((area) => leadingKeysOf(area).every((pattern) => patterns.includes(pattern)));
  const named = new Set(whole.flatMap(leadingKeysOf));
  return [...whole, ...patterns.filter((pattern) => !named.has(pattern))].join(' ');
};

const conditionText = (condition: Statement['Condition']): string =>
  Object.values(condition)
    .flatMap((keys) =>
      Object.entries(keys).map(([key, wanted]) =>
        key === 'dynamodb:LeadingKeys' ? `only ${areasIn(wanted)}` : `${key} ${wanted.join(' ')}`,
      ),
    )
    .join(', ');

const line = ({ Action, Resource, Condition }: Statement): string => {
  const [service = ''] = Action[0]?.split(':') ?? [];
  const names = Action.map((action) => action.replace(`${service}:`, '')).join(' ');
  return ['', `${service}: ${names}`, Resource.map(shortName).join(' '), conditionText(Condition)].join(' | ').trim();
};

const ownLog = ['logs:CreateLogStream', 'logs:PutLogEvents'];

/** Every function may write its log. */
const own = (statements: readonly Statement[]) =>
  statements
    .map((statement) => ({ ...statement, Action: statement.Action.filter((action) => !ownLog.includes(action)) }))
    .filter(({ Action }) => Action.length > 0);

it('every role permits exactly what the list of grants says', async () => {
  const named = functions.map(({ name, roleArn }) => ({
    name,
    statements: own(roles.find(({ arn }) => arn === roleArn)?.statements ?? []),
  }));
  const others = roles.filter(({ arn }) => !functions.some(({ roleArn }) => roleArn === arn));
  const lists = [...named, ...others]
    .filter(({ statements }) => statements.length > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, statements }) => [`## ${name}`, ...statements.map(line).toSorted()].join('\n'));
  const legend = areas.map(
    (area) =>
      `${area}: ${leadingKeysOf(area)
        .join(' ')
        .replaceAll(/\?{36}/g, '{account}')}`,
  );
  const text = ['# Areas of the table, by partition key', ...legend, '', '# Grants', ...lists].join('\n');
  await expect(`${text}\n`).toMatchFileSnapshot('__snapshots__/grants.md');
});

it('no statement has a resource or an action for everything, and no role a managed policy', () => {
  for (const { Resource, Action } of roles.flatMap(({ statements }) => statements)) {
    expect(Resource).not.toContain('*');
    expect(Action.filter((action) => action.includes('*'))).toEqual([]);
  }
  const managed = z.object({ ManagedPolicyArns: z.array(z.unknown()).default([]) });
  const attached = resources.filter(({ Type }) => Type === 'AWS::IAM::Role').map(({ Properties }) => Properties);
  expect(attached.flatMap((role) => managed.parse(role).ManagedPolicyArns)).toEqual([]);
});

const account = '01a1f95f-94e3-745c-9404-7ff971047f51';
const permissions = permissionsOf(blueprint);
const may = (name: string, action: string, ...partitions: string[]): boolean =>
  permissions.refusalOf(name, () => [
    { action: `dynamodb:${action}`, resource: tableArn, valuesOf: () => partitions },
  ]) === undefined;

const namesOf = (isWanted: (does: string, auth: unknown) => boolean): readonly string[] => [
  ...new Set(
    Object.values(routes)
      .filter(({ does, auth }) => isWanted(does, auth))
      .map(({ does }) => functionName(does)),
  ),
];
const callbacks = [
  ...namesOf((does) => does.startsWith('callbacks/')),
  'callbacks-receive-ses-notification',
  'callbacks-receive-sms-event',
  'unsubscribe-unsubscribe-recipient',
];
const pages = namesOf((_, auth) => auth === 'payer' || auth === 'payerToken');
const writes = ['PutItem', 'UpdateItem', 'DeleteItem'];
const credits = [itemKeys.credits(account).PK, itemKeys.creditShard(account, 3).PK];
const keys = [itemKeys.apiKey('hash').PK, itemKeys.apiKeyId('id').PK];

it.each([...callbacks, ...pages])('%s writes no credits and no account, and touches no key', (name) => {
  for (const partition of [...credits, ...keys]) {
    for (const action of writes) expect(may(name, action, partition)).toBe(false);
  }
  for (const partition of keys) expect(may(name, 'GetItem', partition)).toBe(false);
  expect(may(name, 'GetItem', itemKeys.creditShard(account, 3).PK)).toBe(false);
});

it.each(pages)('%s, which payers call, reads sessions and payments and the merchant’s account only', (name) => {
  const { PK: session } = itemKeys.checkoutSession('id');
  expect(may(name, 'GetItem', session)).toBe(true);
  const others = [
    itemKeys.message(account, 'sms', 0, 'id'),
    itemKeys.contact(account, 'id'),
    itemKeys.template(account, 'id'),
    itemKeys.webhook(account, 'id'),
    itemKeys.gatewayToken(account, 'method'),
  ];
  for (const { PK } of others) {
    expect(may(name, 'GetItem', PK)).toBe(false);
    expect(may(name, 'BatchGetItem', session, PK)).toBe(false);
  }
});

it('what payers return to from gateways cannot count them, because those who share an address would otherwise approve payments that nothing confirms', () => {
  const counters = leadingKeysOf('rates');
  const counts = (name: string): boolean => {
    const { roleArn } = functions.find((one) => one.name === name) ?? expect.fail(name);
    const { statements = [] } = roles.find(({ arn }) => arn === roleArn) ?? {};
    const keys = statements
      .flatMap(({ Condition }) => Object.values(Condition))
      .flatMap(Object.values<readonly string[]>);
    return keys.flat().some((pattern) => counters.includes(pattern));
  };
  const payers = namesOf((_, auth) => auth === 'payer');
  const returning = namesOf((_, auth) => auth === 'payerToken');
  expect(returning.length).toBeGreaterThan(0);
  expect([payers.filter(counts), returning.filter(counts)]).toEqual([payers, []]);
});

it('what attempts deliveries may check what a pause of a dead subscription checks, or none would be paused', () => {
  const name = functionName('webhooks/attempt-delivery');
  expect(may(name, 'ConditionCheckItem', itemKeys.deliveryLeases('w').PK)).toBe(true);
  expect(may(name, 'UpdateItem', itemKeys.webhook(account, 'w').PK)).toBe(true);
});

it('only the endpoints of keys write keys', () => {
  const writers = functions.filter(({ name }) => keys.some((key) => may(name, 'PutItem', key)));
  expect(writers.map(({ name }) => name).toSorted()).toEqual([
    'admin-create-api-key',
    'admin-create-checkout-key',
    'admin-revoke-api-key',
    'admin-revoke-checkout-key',
    'people-create-access-key',
  ]);
});

/** What IAM permits for the inline policies of a role, less a reserve for names that are longer on AWS. */
const mostPolicyCharacters = 9_000;

it('the policies of every role are as small as IAM permits', () => {
  const sizes = roles.map(({ name, statements }) => ({ name, size: JSON.stringify(statements).length }));
  expect(sizes.filter(({ size }) => size > mostPolicyCharacters)).toEqual([]);
});

it('no stack comes near the 500 resources that CloudFormation permits', () => {
  const counts = [...Map.groupBy(resources, ({ stack }) => stack)].map(([stack, { length }]) => ({ stack, length }));
  expect(counts.filter(({ length }) => length > 480)).toEqual([]);
});

const rows: readonly (Route | Worker)[] = [
  ...new Map([...Object.values<Route>(routes), ...workers].map((row) => [row.does, row])).values(),
];
const { reachedFrom } = statementReader();
const codeOf = (does: string) => reachedFrom(`functions/${does}/main.ts`, 'handler');
const needOf = (kind: 'read' | 'write') => (area: string) => `${area}:${kind}`;

/** As IAM reads a pattern. */
const asExpression = (pattern: string) => new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);

/** The areas of each key, by how code names it: `itemKeys.account`. */
const areasOfName: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ itemKeys, partitions }).flatMap(([keysName, builders]) =>
    Object.entries(builders).map(([name, build]) => {
      const key: Record<string, string> = build(account, account, account, account);
      const value = key['PK'] ?? key['GSI1PK'] ?? key['GSI2PK'] ?? '';
      const isOwn = (pattern: string) => asExpression(pattern).test(value);
      return [`${keysName}.${name}`, areas.filter((area) => leadingKeysOf(area).some(isOwn))] as const;
    }),
  ),
);

/** Answers are kept where the surface knows the account of a caller, for endpoints whose contract says so. */
const keepsAnswers = ({ does, ...row }: Route | Worker): boolean =>
  'auth' in row &&
  typeof row.auth === 'object' &&
  !('checkoutKey' in row.auth) &&
  !('role' in row.auth && !row.auth.gives) &&
  codeOf(does).some(
    ({ file, text }) => file === `functions/${does}/contract.ts` && text.includes('isReplayable: true'),
  );

it('a function may read and write only areas whose keys its code names', () => {
  const excess = rows.flatMap(({ does, needs }) => {
    const names = codeOf(does)
      .filter(({ file }) => file !== 'shared/table/keys.ts')
      .flatMap(({ text }) => text.match(/\b(?:itemKeys|partitions)\.\w+/g) ?? []);
    const areasOf = (wanted: readonly string[]) => wanted.flatMap((name) => areasOfName.get(name) ?? []);
    const inReach = [
      ...areasOf(names).map(needOf('read')),
      ...areasOf(names.filter((name) => name.startsWith('itemKeys'))).map(needOf('write')),
      'idempotency:read',
      'idempotency:write',
    ];
    const ofAreas = areas.flatMap((area) => [needOf('read')(area), needOf('write')(area)]);
    return needs.filter((need) => ofAreas.includes(need) && !inReach.includes(need)).map((need) => `${does} ${need}`);
  });
  expect(excess).toEqual([]);
});

it('a function has settings only that its code reads', () => {
  // All functions have the settings of the log; the others of the outbox are in its table. Node itself reads how many threads it has.
  const isElsewhere = (does: string, name: string) =>
    ['LOG_LEVEL', 'METRICS_NAMESPACE', 'UV_THREADPOOL_SIZE'].includes(name) || does === 'outbox/route-changes';
  const reads = (does: string) =>
    codeOf(does).flatMap(({ text }) => [...text.matchAll(/\bsetting\(\s*'(\w+)'/g)].map(([, name = '']) => name));
  // Letting callers in may read the table.
  const isForCallers = (row: Route | Worker, name: string) =>
    name === 'TABLE_NAME' && 'auth' in row && powersFor(row.auth).length > 0;
  const spare = rows.flatMap((row) => {
    const { does } = row;
    const { environment = {} } = functions.find(({ name }) => name === functionName(does)) ?? {};
    const read = new Set(reads(does));
    return Object.keys(environment)
      .filter((name) => !read.has(name) && !isElsewhere(does, name) && !isForCallers(row, name))
      .map((name) => `${does} ${name}`);
  });
  expect(spare).toEqual([]);
});

it('the endpoints that repeat answers under an idempotency key, and no others, may keep them', () => {
  const keeping = (power: 'idempotency:read' | 'idempotency:write') =>
    rows.filter(({ needs }) => needs.includes(power)).map(({ does }) => does);
  expect([keeping('idempotency:read'), keeping('idempotency:write')]).toEqual(
    Array(2).fill(rows.filter(keepsAnswers).map(({ does }) => does)),
  );
});

/** Rows that are only read with GET, and yet write; and why. */
const writingReads: Readonly<Record<string, string>> = {
  'messages/start-message-export': 'it starts the export that it answers with',
  'contacts/start-contact-export': 'it starts the export that it answers with',
  'checkout/get-session-status': 'it asks the gateway what became of a payment',
  'checkout/show-checkout': 'it asks the gateway what became of a payment',
  'checkout/show-payment': 'it asks the gateway what became of a payment',
};

it('what answers GET alone writes nothing, with few exceptions', () => {
  const others = new Set(
    Object.entries<Route>(routes)
      .filter(([key]) => !key.startsWith('GET '))
      .map(([, { does }]) => does),
  );
  const writing = Object.values<Route>(routes).filter(
    ({ does, needs }) => !others.has(does) && needs.some((need) => need.endsWith(':write')),
  );
  expect(writing.map(({ does }) => does).toSorted()).toEqual(Object.keys(writingReads).toSorted());
});

/** Functions that may write any attribute of the items in a partition. */
const writersOf = (partition: string) =>
  functions
    .filter(({ name }) => writes.some((action) => may(name, action, partition)))
    .map(({ name }) => name)
    .toSorted();

it('only what sends, gives credits back, or changes an account as its operator or owner may write the partition of an account and its credits', () => {
  const changing = [
    'admin-adjust-credits',
    'admin-create-account',
    'admin-set-credits',
    'messages-cancel-message',
    'messages-end-interrupted-send',
    'messages-send-message',
    'messages-send-messages',
    'messages-send-scheduled',
    'messages-send-text',
    'notices-give-notice',
  ];
  expect(writersOf(itemKeys.creditShard(account, 3).PK)).toEqual(changing);
  expect(writersOf(itemKeys.credits(account).PK)).toEqual([...changing, 'admin-update-account'].toSorted());
});

it('only operators write the ledger, and few read the list of accounts', () => {
  const having = (need: string) =>
    rows.filter(({ needs }) => needs.some((each) => each === need)).map(({ does }) => does);
  expect(writersOf(itemKeys.ledgerEntry(account, 'id').PK)).toEqual(['admin-adjust-credits', 'admin-set-credits']);
  expect(having('all-accounts:read')).toEqual([
    'people/list-accounts',
    'admin/update-account',
    'chores/do-chore',
    'callbacks/receive-sms-event',
  ]);
});

it('a function whose grant is removed from the template is refused by the local stack', async () => {
  const name = 'checkout-show-result';
  const { url } = closedAfterTest(await startDynamodb({ dataDirectory: await temporaryDirectory(), tables }));
  const read = async (removed: (statement: Statement) => boolean) => {
    const fewer = roles.map((role) => ({ ...role, statements: role.statements.filter((one) => !removed(one)) }));
    const narrowed = permissionsOf({ functions, roles: fewer });
    const front = closedAfterTest(await startDynamodbFront({ url, tables, permissions: narrowed }));
    const credentials = { accessKeyId: name, secretAccessKey: 'x' };
    const client = new DynamoDBClient({ ...localClient(front.url), credentials, maxAttempts: 1 });
    const { PK, SK } = itemKeys.checkoutSession('id');
    const Key = { PK: { S: PK }, SK: { S: SK } };
    return client.send(new GetItemCommand({ TableName: tables[0]?.name, Key }));
  };
  await expect(read(() => false)).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } });
  await expect(read(({ Action }) => Action.includes('dynamodb:GetItem'))).rejects.toMatchObject({
    name: 'AccessDeniedException',
  });
});
