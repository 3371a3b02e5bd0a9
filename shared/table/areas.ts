import { type IndexKey, type ItemKey, index, indexKeys, itemKeys, type SlimKey, slimIndex, slimKeys } from './keys.ts';

/** The parts of the table that permissions are given for. Each kind of item belongs to one. */
const areaOfItem = {
  account: 'account',
  methods: 'account',
  keyRing: 'key-rings',
  credits: 'credits',
  creditShard: 'credits',
  ledgerEntry: 'ledger',
  apiKey: 'keys',
  apiKeyId: 'keys',
  checkoutKey: 'keys',
  checkoutKeyId: 'keys',
  rate: 'rates',
  idempotency: 'idempotency',
  idempotencyPart: 'idempotency',
  message: 'messages',
  earlierMessage: 'messages',
  messageBody: 'messages',
  dueMessage: 'messages',
  mailPart: 'messages',
  textTurn: 'messages',
  smsSender: 'senders',
  hourCounts: 'counts',
  countedChanges: 'counts',
  countedMessage: 'counts',
  contact: 'contacts',
  retiredContact: 'contacts',
  contactAccount: 'contacts',
  contactCount: 'contacts',
  contactOfSend: 'contacts',
  contactByStatus: 'contacts',
  contactBySource: 'contacts',
  contactByTag: 'contacts',
  contactByWord: 'contacts',
  contactByUpdate: 'contacts',
  earlierContactByScore: 'contacts',
  emailLock: 'contacts',
  phoneLock: 'contacts',
  whatsappWindow: 'contacts',
  optOut: 'contacts',
  suppression: 'contacts',
  consents: 'contacts',
  consentEntry: 'contacts',
  frequencyCap: 'contacts',
  strikes: 'contacts',
  webhook: 'webhooks',
  webhookCreations: 'webhooks',
  delivery: 'webhooks',
  event: 'webhooks',
  eventLog: 'webhooks',
  eventPage: 'webhooks',
  deliveryLeases: 'webhooks',
  hostPace: 'webhooks',
  upload: 'transfers',
  transfer: 'transfers',
  template: 'templates',
  templateBody: 'templates',
  templateSync: 'templates',
  templateVersion: 'templates',
  templateVersionBody: 'templates',
  checkoutSession: 'checkout',
  sessionBody: 'checkout',
  checkoutSessionKey: 'checkout',
  sessionEntry: 'checkout',
  payment: 'checkout',
  paymentId: 'checkout',
  refundKey: 'checkout',
  refundReference: 'checkout',
  refund: 'checkout',
  refundId: 'checkout',
  logo: 'logos',
  gatewayToken: 'gateways',
  peopleKey: 'people',
  membership: 'people',
  memberCount: 'people',
  signInRequest: 'sign-ins',
  signInLink: 'sign-ins',
  signInSession: 'sign-ins',
  operatorToken: 'sign-ins',
  accessKey: 'access',
  auditEntry: 'audit',
} as const satisfies Record<keyof typeof itemKeys, string>;

/** Areas of their own are in the index only: what lists all accounts, keys, or work that is due, and few may read. */
const areaOfIndexKey = {
  account: 'all-accounts',
  apiKeyId: 'key-lists',
  checkoutKeyId: 'key-lists',
  message: 'messages',
  suppression: 'contacts',
  dueMessage: 'due-work',
  checkoutSession: 'due-work',
  payment: 'due-work',
  refund: 'due-work',
  sessionEntry: 'checkout',
  paymentId: 'checkout',
  earlierPaymentId: 'checkout',
  refundId: 'checkout',
  delivery: 'due-work',
  membership: 'people',
  signInSession: 'sign-ins',
  operatorToken: 'sign-ins',
  auditEntry: 'audit',
} as const satisfies Record<keyof typeof indexKeys, string>;

const areaOfSlimKey = { message: 'messages', contact: 'contacts' } as const satisfies Record<
  keyof typeof slimKeys,
  string
>;

/** An area that can be written. */
export type ItemArea = (typeof areaOfItem)[keyof typeof areaOfItem];

export type Area = ItemArea | (typeof areaOfIndexKey)[keyof typeof areaOfIndexKey];

export const areas = [...new Set<Area>([...Object.values(areaOfItem), ...Object.values(areaOfIndexKey)])];

/** An account's id has this many characters, so `A#{account}` itself can be distinguished from what begins with it. */
const anyAccount = '?'.repeat(36);

/** IAM's pattern of a partition key: what it begins with, and `*` for its other parts. */
const patternOf = (partition: string): string => {
  const [, ofAccount = '', rest = ''] = /^(A#\{\})?(.*)$/.exec(partition) ?? [];
  const [word = '', ...more] = rest.split('{}');
  return `${ofAccount.replace('{}', anyAccount)}${word}${more.length > 0 ? '*' : ''}`;
};

/** A key of this kind, with `{}` for each of its parts. */
const shapeOf = (build: (...parts: never[]) => Partial<ItemKey & IndexKey & SlimKey>) =>
  build(...(Array.from({ length: build.length }, () => '{}') as never[]));

const patternsOf = (
  area: Area,
  of: Readonly<Record<string, Area>>,
  builders: object,
  attribute: 'PK' | 'GSI1PK' | 'GSI2PK',
) =>
  Object.entries(builders)
    .filter(([name]) => of[name] === area)
    .map(([, build]) => patternOf(shapeOf(build)[attribute] ?? ''));

/** IAM's patterns of the partition keys of an area, in the table and in its indexes. */
export const leadingKeysOf = (area: Area): readonly string[] => [
  ...new Set([
    ...patternsOf(area, areaOfItem, itemKeys, 'PK'),
    ...patternsOf(area, areaOfIndexKey, indexKeys, 'GSI1PK'),
    ...patternsOf(area, areaOfSlimKey, slimKeys, 'GSI2PK'),
  ]),
];

/** IAM's pattern of the partition keys of one kind of item. */
export const leadingKeysOfItem = (item: keyof typeof itemKeys): readonly string[] => [
  patternOf(shapeOf(itemKeys[item]).PK ?? ''),
];

/** The indexes of the table in which an area has rows. */
export const indexesOf = (area: Area): readonly string[] => [
  ...(Object.values<Area>(areaOfIndexKey).includes(area) ? [index] : []),
  ...(Object.values<Area>(areaOfSlimKey).includes(area) ? [slimIndex] : []),
];
