/** Every item of the table and every query. Only this file contains key strings. */

export const index = 'GSI1';
/** The index of messages by recipient and of contacts by score. It has their keys only, so an item's other changes cost nothing there. */
export const slimIndex = 'GSI2';

export interface ItemKey {
  readonly PK: string;
  readonly SK: string;
}

export interface IndexKey {
  readonly GSI1PK: string;
  readonly GSI1SK: string;
}

export interface SlimKey {
  readonly GSI2PK: string;
  readonly GSI2SK: string;
}

/** The first of a partition's shards is the partition itself. */
const sharded = (partition: string, shard: number): string => (shard === 0 ? partition : `${partition}#${shard}`);

const byScore = (score: number, id: string): string => `${String(score).padStart(3, '0')}#${id}`;

export const itemKeys = {
  account: (account: string): ItemKey => ({ PK: `A#${account}`, SK: 'ACCOUNT' }),
  /** The data keys of an account after its first one. */
  keyRing: (account: string): ItemKey => ({ PK: `KEYRING#${account}`, SK: 'RING' }),
  credits: (account: string): ItemKey => ({ PK: `A#${account}`, SK: 'CREDITS' }),
  creditShard: (account: string, shard: number): ItemKey => ({ PK: `A#${account}#CREDITS#${shard}`, SK: 'CREDITS' }),
  ledgerEntry: (account: string, id: string): ItemKey => ({ PK: `A#${account}#LEDGER`, SK: id }),
  apiKey: (hash: string): ItemKey => ({ PK: `KEY#${hash}`, SK: 'KEY' }),
  apiKeyId: (id: string): ItemKey => ({ PK: `KEYID#${id}`, SK: 'KEYID' }),
  checkoutKey: (hash: string): ItemKey => ({ PK: `KEY#${hash}`, SK: 'CHECKOUT' }),
  checkoutKeyId: (id: string): ItemKey => ({ PK: `KEYID#${id}`, SK: 'CHECKOUT' }),
  methods: (account: string): ItemKey => ({ PK: `A#${account}`, SK: 'METHODS' }),
  rate: (hash: string, minute: number): ItemKey => ({ PK: `RATE#${hash}`, SK: `${minute}` }),
  idempotency: (account: string, hash: string): ItemKey => ({ PK: `A#${account}#IDEM#${hash}`, SK: 'IDEM' }),
  /** More of an answer that one item does not hold. Each part has a partition, because a partition takes 1,000 units a second. */
  idempotencyPart: (account: string, hash: string, part: number, token: string): ItemKey => ({
    PK: `A#${account}#IDEM#${hash}#${part}`,
    SK: token,
  }),
  message: (account: string, channel: string, shard: number, id: string): ItemKey => ({
    PK: sharded(`A#${account}#MSG#${channel}`, shard),
    SK: id,
  }),
  /** Where the release before laid messages. */
  earlierMessage: (account: string, id: string): ItemKey => ({ PK: `A#${account}#MSG`, SK: id }),
  /** What is large of a message. Each attempt to accept the message has an item of its own. */
  messageBody: (account: string, id: string, attempt: string): ItemKey => ({
    PK: `A#${account}#BODY#${id}`,
    SK: attempt,
  }),
  /** Says when a scheduled message is due. */
  dueMessage: (account: string, id: string): ItemKey => ({ PK: `A#${account}#DUE#${id}`, SK: 'DUE' }),
  /** A part of a scheduled email. Each attempt to accept it has parts of its own, and each part a partition: together they are large. */
  mailPart: (account: string, id: string, part: number, attempt: string): ItemKey => ({
    PK: `A#${account}#MAIL#${id}#${part}`,
    SK: attempt,
  }),
  contact: (account: string, id: string): ItemKey => ({ PK: `A#${account}#CONTACT`, SK: id }),
  retiredContact: (account: string, id: string): ItemKey => ({ PK: `A#${account}#RETIRED`, SK: id }),
  contactAccount: (id: string): ItemKey => ({ PK: `CONTACT#${id}`, SK: 'CONTACT' }),
  contactCount: (account: string, shard: number): ItemKey => ({ PK: `A#${account}#CONTACTS`, SK: `COUNT#${shard}` }),
  /** The one row of a contact that a send created and nobody has changed: its status, its source and the time of its update follow from that. */
  contactOfSend: (account: string, id: string): ItemKey => ({ PK: `A#${account}#IX#send`, SK: id }),
  contactByStatus: (account: string, status: string, id: string): ItemKey => ({
    PK: `A#${account}#IX#status#${status}`,
    SK: id,
  }),
  contactBySource: (account: string, fingerprint: string, id: string): ItemKey => ({
    PK: `A#${account}#IX#source#${fingerprint}`,
    SK: id,
  }),
  contactByTag: (account: string, fingerprint: string, id: string): ItemKey => ({
    PK: `A#${account}#IX#tag#${fingerprint}`,
    SK: id,
  }),
  contactByWord: (account: string, path: string, id: string): ItemKey => ({
    PK: `A#${account}#IX#word`,
    SK: `${path}#${id}`,
  }),
  contactByUpdate: (account: string, updatedAt: string, id: string): ItemKey => ({
    PK: `A#${account}#IX#updated`,
    SK: `${updatedAt}#${id}`,
  }),
  /**
   * Where the release before laid scores. The write that gives a contact its key in the index removes this row; a list by score may show the contact
   * twice until the index follows, within milliseconds.
   */
  earlierContactByScore: (account: string, score: number, id: string): ItemKey => ({
    PK: `A#${account}#IX#score`,
    SK: byScore(score, id),
  }),
  emailLock: (account: string, fingerprint: string): ItemKey => ({
    PK: `A#${account}#EMAIL#${fingerprint}`,
    SK: 'LOCK',
  }),
  phoneLock: (account: string, fingerprint: string): ItemKey => ({
    PK: `A#${account}#PHONE#${fingerprint}`,
    SK: 'LOCK',
  }),
  whatsappWindow: (account: string, fingerprint: string): ItemKey => ({
    PK: `A#${account}#PHONE#${fingerprint}`,
    SK: 'WINDOW',
  }),
  optOut: (account: string, fingerprint: string): ItemKey => ({
    PK: `A#${account}#PHONE#${fingerprint}`,
    SK: 'OPTOUT',
  }),
  /** `origin`: whether the account made the entry, or it follows from a contact. */
  suppression: (account: string, channel: string, fingerprint: string, origin: string): ItemKey => ({
    PK: `A#${account}#SUPPRESSED#${channel}#${fingerprint}`,
    SK: origin,
  }),
  consents: (account: string, contact: string): ItemKey => ({
    PK: `A#${account}#CONSENT#${contact}`,
    SK: 'STANDING',
  }),
  consentEntry: (account: string, contact: string, channel: string, fingerprint: string): ItemKey => ({
    PK: `A#${account}#CONSENT#${contact}`,
    SK: `${channel}#${fingerprint}`,
  }),
  frequencyCap: (account: string, contact: string): ItemKey => ({ PK: `A#${account}#CAP#${contact}`, SK: 'CAP' }),
  strikes: (account: string, contact: string): ItemKey => ({ PK: `A#${account}#STRIKES#${contact}`, SK: 'STRIKES' }),
  smsSender: (hash: string): ItemKey => ({ PK: `SENDER#${hash}`, SK: 'SENDER' }),
  textTurn: (account: string, channel: string): ItemKey => ({ PK: `A#${account}#RATE#${channel}`, SK: 'RATE' }),
  webhook: (account: string, id: string): ItemKey => ({ PK: `A#${account}#WH`, SK: id }),
  webhookCreations: (account: string, api: string): ItemKey => ({ PK: `A#${account}#WEBHOOKS`, SK: api }),
  delivery: (webhook: string, id: string): ItemKey => ({ PK: `WH#${webhook}`, SK: id }),
  event: (account: string, id: string): ItemKey => ({ PK: `A#${account}#EVENT#${id}`, SK: 'EVENT' }),
  /** The end of the log of an account's events. */
  eventLog: (account: string, api: string): ItemKey => ({ PK: `A#${account}#EVENTS#${api}`, SK: 'END' }),
  eventPage: (account: string, api: string, id: string): ItemKey => ({
    PK: `A#${account}#EVENTS#${api}#PAGES`,
    SK: id,
  }),
  deliveryLeases: (webhook: string): ItemKey => ({ PK: `WH#${webhook}#LINES`, SK: 'LINES' }),
  hostPace: (account: string, fingerprint: string): ItemKey => ({
    PK: `A#${account}#HOST#${fingerprint}`,
    SK: 'PACE',
  }),
  upload: (account: string, id: string): ItemKey => ({ PK: `A#${account}#UPLOAD`, SK: id }),
  transfer: (account: string, id: string): ItemKey => ({ PK: `A#${account}#TRANSFER`, SK: id }),
  template: (account: string, id: string): ItemKey => ({ PK: `A#${account}#TPL`, SK: id }),
  templateBody: (account: string, id: string, part: number): ItemKey => ({
    PK: `A#${account}#TPL#${id}`,
    SK: `BODY#${part}`,
  }),
  /** When the last sync of the account's templates began. Behind all ids, so that no list reads it. */
  templateSync: (account: string): ItemKey => ({ PK: `A#${account}#TPL`, SK: 'sync' }),
  /** What a template was before a change. */
  templateVersion: (account: string, id: string, version: number): ItemKey => ({
    PK: `A#${account}#TPL#${id}`,
    SK: `VERSION#${String(version).padStart(6, '0')}`,
  }),
  templateVersionBody: (account: string, id: string, version: number, part: number): ItemKey => ({
    PK: `A#${account}#TPL#${id}`,
    SK: `PAST#${String(version).padStart(6, '0')}#${part}`,
  }),
  checkoutSession: (session: string): ItemKey => ({ PK: `CS#${session}`, SK: 'SESSION' }),
  /** What is large of a session. */
  sessionBody: (session: string): ItemKey => ({ PK: `CS#${session}`, SK: 'BODY' }),
  checkoutSessionKey: (account: string, mode: string, hash: string): ItemKey => ({
    PK: `A#${account}#CSKEY#${mode}#${hash}`,
    SK: 'CSKEY',
  }),
  /** A session in the list of its account, by mode and shard. */
  sessionEntry: (account: string, mode: string, shard: number, id: string): ItemKey => ({
    PK: `A#${account}#SESSIONS#${mode}#${shard}`,
    SK: id,
  }),
  payment: (session: string, id: string): ItemKey => ({ PK: `CS#${session}`, SK: `PAY#${id}` }),
  paymentId: (id: string): ItemKey => ({ PK: `PAY#${id}`, SK: 'PAY' }),
  refundKey: (session: string, hash: string): ItemKey => ({ PK: `CS#${session}`, SK: `REFUNDKEY#${hash}` }),
  refundReference: (session: string, hash: string): ItemKey => ({ PK: `CS#${session}`, SK: `REFUND-REF#${hash}` }),
  refund: (session: string, id: string): ItemKey => ({ PK: `CS#${session}`, SK: `REFUND#${id}` }),
  refundId: (id: string): ItemKey => ({ PK: `REFUND#${id}`, SK: 'REFUND' }),
  logo: (id: string): ItemKey => ({ PK: `LOGO#${id}`, SK: 'LOGO' }),
  gatewayToken: (account: string, method: string): ItemKey => ({
    PK: `A#${account}#GATEWAY#${method}`,
    SK: 'TOKEN',
  }),
  hourCounts: (account: string, hour: string): ItemKey => ({ PK: `A#${account}#STATS`, SK: hour }),
  countedChanges: (account: string, partition: string, stretch: number): ItemKey => ({
    PK: `A#${account}#COUNTS${partition}`,
    SK: `${stretch}`,
  }),
  /** As the release before remembered what it had counted. */
  countedMessage: (account: string, id: string): ItemKey => ({ PK: `A#${account}#COUNTED#${id}`, SK: 'COUNTED' }),
  /** The data key that seals what is known of people. */
  peopleKey: (): ItemKey => ({ PK: 'PEOPLE', SK: 'KEY' }),
  /** `scope`: an account's id, or the platform. */
  membership: (person: string, scope: string): ItemKey => ({ PK: `P#${person}`, SK: `ON#${scope}` }),
  memberCount: (scope: string): ItemKey => ({ PK: `MEMBERS#${scope}`, SK: 'COUNT' }),
  signInRequest: (id: string): ItemKey => ({ PK: `SIGNIN#${id}`, SK: 'ASKED' }),
  signInLink: (hash: string): ItemKey => ({ PK: `LINK#${hash}`, SK: 'LINK' }),
  signInSession: (hash: string): ItemKey => ({ PK: `SESSION#${hash}`, SK: 'SESSION' }),
  operatorToken: (hash: string): ItemKey => ({ PK: `TOKEN#${hash}`, SK: 'TOKEN' }),
  /** Names a key that a person was given for a short time. */
  accessKey: (person: string, hash: string): ItemKey => ({ PK: `ACCESS#${person}`, SK: hash }),
  auditEntry: (month: string, id: string): ItemKey => ({ PK: `AUDIT#${month}`, SK: id }),
} as const;

export const indexKeys = {
  account: (account: string): IndexKey => ({ GSI1PK: 'ACCOUNTS', GSI1SK: account }),
  apiKeyId: (account: string, id: string): IndexKey => ({ GSI1PK: `A#${account}#KEYS`, GSI1SK: id }),
  checkoutKeyId: (account: string, id: string): IndexKey => ({ GSI1PK: `A#${account}#CHECKOUTKEYS`, GSI1SK: id }),
  message: (account: string, channel: string, status: string, shard: number, id: string): IndexKey => ({
    GSI1PK: sharded(`A#${account}#MSG#${channel}#${status}`, shard),
    GSI1SK: id,
  }),
  suppression: (account: string, id: string): IndexKey => ({ GSI1PK: `A#${account}#SUPPRESSIONS`, GSI1SK: id }),
  /** While something about it is due, by that time. */
  dueMessage: (shard: number, id: string): IndexKey => ({ GSI1PK: `OPEN#message#${shard}`, GSI1SK: id }),
  checkoutSession: (shard: number, id: string): IndexKey => ({ GSI1PK: `OPEN#session#${shard}`, GSI1SK: id }),
  payment: (shard: number, id: string): IndexKey => ({ GSI1PK: `OPEN#payment#${shard}`, GSI1SK: id }),
  refund: (shard: number, id: string): IndexKey => ({ GSI1PK: `OPEN#refund#${shard}`, GSI1SK: id }),
  /** While it is open only. */
  delivery: (shard: number, id: string): IndexKey => ({ GSI1PK: `OPEN#delivery#${shard}`, GSI1SK: id }),
  /** Where the session has an `invoiceId`. */
  sessionEntry: (account: string, mode: string, fingerprint: string, id: string): IndexKey => ({
    GSI1PK: `A#${account}#INVOICE#${mode}#${fingerprint}`,
    GSI1SK: id,
  }),
  paymentId: (account: string, mode: string, shard: number, id: string): IndexKey => ({
    GSI1PK: `A#${account}#PAY#${mode}#${shard}`,
    GSI1SK: id,
  }),
  /** As the release before listed payments: both modes, in one partition. */
  earlierPaymentId: (account: string, id: string): IndexKey => ({ GSI1PK: `A#${account}#PAY`, GSI1SK: id }),
  refundId: (account: string, mode: string, shard: number, id: string): IndexKey => ({
    GSI1PK: `A#${account}#REFUND#${mode}#${shard}`,
    GSI1SK: id,
  }),
  membership: (scope: string, id: string): IndexKey => ({ GSI1PK: `MEMBERS#${scope}`, GSI1SK: id }),
  signInSession: (person: string, id: string): IndexKey => ({ GSI1PK: `SESSIONS#${person}`, GSI1SK: id }),
  operatorToken: (id: string): IndexKey => ({ GSI1PK: 'TOKENS', GSI1SK: id }),
  auditEntry: (account: string, id: string): IndexKey => ({ GSI1PK: `AUDIT#${account}`, GSI1SK: id }),
} as const;

/** Of messages, only those that the API accepted. */
export const slimKeys = {
  message: (account: string, fingerprint: string, id: string): SlimKey => ({
    GSI2PK: `A#${account}#TO#${fingerprint}`,
    GSI2SK: id,
  }),
  contact: (account: string, score: number, id: string): SlimKey => ({
    GSI2PK: `A#${account}#IX#score`,
    GSI2SK: byScore(score, id),
  }),
} as const;

/** A partition of an account's messages, without what is the same in all of them. */
export const partitionOfMessages = (account: string, PK: string): string => PK.slice(`A#${account}#MSG`.length);

/** The channel of all messages in a partition; undefined where the release before laid those of every channel. */
export const channelOfMessages = (PK: string): string | undefined => PK.split('#')[3];

export const keyIn = ({ PK, SK }: { readonly PK?: unknown; readonly SK?: unknown }): ItemKey => ({
  PK: String(PK),
  SK: String(SK),
});

/** The id that a sort key is, or ends in. */
export const idIn = (SK: string): string => SK.slice(SK.lastIndexOf('#') + 1);

/** Where a person is a member. */
export const scopeIn = (SK: string): string => SK.slice('ON#'.length);

/** Who is a member. */
export const personIn = (PK: string): string => PK.slice('P#'.length);

/** Whose delivery an item is, and its id. */
export const deliveryIn = ({ PK, SK }: ItemKey) => ({ webhook: PK.slice('WH#'.length), delivery: SK });

/** Partitions to query. `GSI1PK` and `GSI2PK` ones are in these indexes, the others in the table itself. */
export const partitions = {
  memberships: (person: string) => ({ PK: `P#${person}` }),
  members: (scope: string) => ({ GSI1PK: `MEMBERS#${scope}` }),
  signInSessionsOf: (person: string) => ({ GSI1PK: `SESSIONS#${person}` }),
  operatorTokens: () => ({ GSI1PK: 'TOKENS' }),
  accessKeys: (person: string) => ({ PK: `ACCESS#${person}` }),
  auditIn: (month: string) => ({ PK: `AUDIT#${month}` }),
  auditOf: (account: string) => ({ GSI1PK: `AUDIT#${account}` }),
  accounts: () => ({ GSI1PK: 'ACCOUNTS' }),
  apiKeys: (account: string) => ({ GSI1PK: `A#${account}#KEYS` }),
  checkoutKeys: (account: string) => ({ GSI1PK: `A#${account}#CHECKOUTKEYS` }),
  messages: (account: string, channel: string, shard: number) => ({
    PK: sharded(`A#${account}#MSG#${channel}`, shard),
  }),
  earlierMessages: (account: string) => ({ PK: `A#${account}#MSG` }),
  contacts: (account: string) => ({ PK: `A#${account}#CONTACT` }),
  retiredContacts: (account: string) => ({ PK: `A#${account}#RETIRED` }),
  contactCounts: (account: string) => ({ PK: `A#${account}#CONTACTS` }),
  contactsOfSends: (account: string) => ({ PK: `A#${account}#IX#send` }),
  contactsByStatus: (account: string, status: string) => ({ PK: `A#${account}#IX#status#${status}` }),
  contactsBySource: (account: string, fingerprint: string) => ({ PK: `A#${account}#IX#source#${fingerprint}` }),
  contactsByTag: (account: string, fingerprint: string) => ({ PK: `A#${account}#IX#tag#${fingerprint}` }),
  contactsByWord: (account: string) => ({ PK: `A#${account}#IX#word` }),
  contactsByUpdate: (account: string) => ({ PK: `A#${account}#IX#updated` }),
  contactsByScore: (account: string) => ({ GSI2PK: `A#${account}#IX#score` }),
  earlierContactsByScore: (account: string) => ({ PK: `A#${account}#IX#score` }),
  consents: (account: string, contact: string) => ({ PK: `A#${account}#CONSENT#${contact}` }),
  suppressions: (account: string) => ({ GSI1PK: `A#${account}#SUPPRESSIONS` }),
  messagesWith: (account: string, channel: string, status: string, shard: number) => ({
    GSI1PK: sharded(`A#${account}#MSG#${channel}#${status}`, shard),
  }),
  messagesTo: (account: string, fingerprint: string) => ({ GSI2PK: `A#${account}#TO#${fingerprint}` }),
  webhooks: (account: string) => ({ PK: `A#${account}#WH` }),
  deliveries: (webhook: string) => ({ PK: `WH#${webhook}` }),
  eventPages: (account: string, api: string) => ({ PK: `A#${account}#EVENTS#${api}#PAGES` }),
  uploads: (account: string) => ({ PK: `A#${account}#UPLOAD` }),
  transfers: (account: string) => ({ PK: `A#${account}#TRANSFER` }),
  templates: (account: string) => ({ PK: `A#${account}#TPL` }),
  templateVersions: (account: string, id: string) => ({ PK: `A#${account}#TPL#${id}` }),
  checkout: (session: string) => ({ PK: `CS#${session}` }),
  dueMessages: (shard: number) => ({ GSI1PK: `OPEN#message#${shard}` }),
  openSessions: (shard: number) => ({ GSI1PK: `OPEN#session#${shard}` }),
  openPayments: (shard: number) => ({ GSI1PK: `OPEN#payment#${shard}` }),
  openRefunds: (shard: number) => ({ GSI1PK: `OPEN#refund#${shard}` }),
  openDeliveries: (shard: number) => ({ GSI1PK: `OPEN#delivery#${shard}` }),
  sessions: (account: string, mode: string, shard: number) => ({ PK: `A#${account}#SESSIONS#${mode}#${shard}` }),
  sessionsOfInvoice: (account: string, mode: string, fingerprint: string) => ({
    GSI1PK: `A#${account}#INVOICE#${mode}#${fingerprint}`,
  }),
  payments: (account: string, mode: string, shard: number) => ({ GSI1PK: `A#${account}#PAY#${mode}#${shard}` }),
  earlierPayments: (account: string) => ({ GSI1PK: `A#${account}#PAY` }),
  refunds: (account: string, mode: string, shard: number) => ({ GSI1PK: `A#${account}#REFUND#${mode}#${shard}` }),
  ledger: (account: string) => ({ PK: `A#${account}#LEDGER` }),
  hourCounts: (account: string) => ({ PK: `A#${account}#STATS` }),
} as const;
