/** Every item of the table and every question asked of it. Key strings are written here and nowhere else. */

export const index = 'GSI1';

export interface ItemKey {
  readonly PK: string;
  readonly SK: string;
}

export interface IndexKey {
  readonly GSI1PK: string;
  readonly GSI1SK: string;
}

export const itemKeys = {
  account: (account: string): ItemKey => ({ PK: `A#${account}`, SK: 'ACCOUNT' }),
  credits: (account: string): ItemKey => ({ PK: `A#${account}`, SK: 'CREDITS' }),
  apiKey: (hash: string): ItemKey => ({ PK: `KEY#${hash}`, SK: 'KEY' }),
  apiKeyId: (id: string): ItemKey => ({ PK: `KEYID#${id}`, SK: 'KEYID' }),
  idempotency: (account: string, hash: string): ItemKey => ({ PK: `A#${account}#IDEM#${hash}`, SK: 'IDEM' }),
  message: (account: string, id: string): ItemKey => ({ PK: `A#${account}#MSG`, SK: id }),
  contact: (account: string, id: string): ItemKey => ({ PK: `A#${account}#CONTACT`, SK: id }),
  retiredContact: (account: string, id: string): ItemKey => ({ PK: `A#${account}#RETIRED`, SK: id }),
  contactAccount: (id: string): ItemKey => ({ PK: `CONTACT#${id}`, SK: 'CONTACT' }),
  contactCount: (account: string, shard: number): ItemKey => ({ PK: `A#${account}#CONTACTS`, SK: `COUNT#${shard}` }),
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
  contactByScore: (account: string, score: number, id: string): ItemKey => ({
    PK: `A#${account}#IX#score`,
    SK: `${String(score).padStart(3, '0')}#${id}`,
  }),
  emailLock: (account: string, fingerprint: string): ItemKey => ({
    PK: `A#${account}#EMAIL#${fingerprint}`,
    SK: 'LOCK',
  }),
  phoneLock: (account: string, fingerprint: string): ItemKey => ({
    PK: `A#${account}#PHONE#${fingerprint}`,
    SK: 'LOCK',
  }),
  webhook: (account: string, id: string): ItemKey => ({ PK: `A#${account}#WH`, SK: id }),
  delivery: (webhook: string, id: string): ItemKey => ({ PK: `WH#${webhook}`, SK: id }),
  pace: (webhook: string): ItemKey => ({ PK: `WH#${webhook}#PACE`, SK: 'PACE' }),
  template: (account: string, id: string): ItemKey => ({ PK: `A#${account}#TPL`, SK: id }),
  templateBody: (account: string, id: string, part: number): ItemKey => ({
    PK: `A#${account}#TPL#${id}`,
    SK: `BODY#${part}`,
  }),
  hourCounts: (account: string, hour: string): ItemKey => ({ PK: `A#${account}#STATS`, SK: hour }),
  countedMessage: (account: string, id: string): ItemKey => ({ PK: `A#${account}#COUNTED#${id}`, SK: 'COUNTED' }),
} as const;

export const indexKeys = {
  apiKeyId: (account: string, id: string): IndexKey => ({ GSI1PK: `A#${account}#KEYS`, GSI1SK: id }),
  message: (account: string, channel: string, status: string, id: string): IndexKey => ({
    GSI1PK: `A#${account}#MSG#${channel}#${status}`,
    GSI1SK: id,
  }),
} as const;

/** Partitions to query. `GSI1PK` ones are in the index, the others in the table itself. */
export const partitions = {
  apiKeys: (account: string) => ({ GSI1PK: `A#${account}#KEYS` }),
  messages: (account: string) => ({ PK: `A#${account}#MSG` }),
  contacts: (account: string) => ({ PK: `A#${account}#CONTACT` }),
  contactCounts: (account: string) => ({ PK: `A#${account}#CONTACTS` }),
  contactsByStatus: (account: string, status: string) => ({ PK: `A#${account}#IX#status#${status}` }),
  contactsBySource: (account: string, fingerprint: string) => ({ PK: `A#${account}#IX#source#${fingerprint}` }),
  contactsByTag: (account: string, fingerprint: string) => ({ PK: `A#${account}#IX#tag#${fingerprint}` }),
  contactsByWord: (account: string) => ({ PK: `A#${account}#IX#word` }),
  contactsByUpdate: (account: string) => ({ PK: `A#${account}#IX#updated` }),
  contactsByScore: (account: string) => ({ PK: `A#${account}#IX#score` }),
  messagesWith: (account: string, channel: string, status: string) => ({
    GSI1PK: `A#${account}#MSG#${channel}#${status}`,
  }),
  webhooks: (account: string) => ({ PK: `A#${account}#WH` }),
  deliveries: (webhook: string) => ({ PK: `WH#${webhook}` }),
  templates: (account: string) => ({ PK: `A#${account}#TPL` }),
  hourCounts: (account: string) => ({ PK: `A#${account}#STATS` }),
} as const;
