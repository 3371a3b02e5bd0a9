import { randomUUID } from 'node:crypto';
import type { Cipher } from '../../kit/cipher.ts';
import { timeOfId } from '../../kit/id.ts';
import { emptyObject, JsonText, jsonOf, parseJson } from '../../kit/json-text.ts';
import { iso } from '../../kit/time.ts';
import type { Failure, RecordedFailure } from '../../messages/failures.ts';
import { type Channel, isUnsent, type Message, type Status } from '../../messages/message.ts';
import { moveBy, type Trigger } from '../../messages/moves.ts';
import type { AcceptedMessage, Price } from '../../messages/new-message.ts';
import type { Recipient } from '../../messages/recipient.ts';
import { type Past, stepOf } from '../../messages/timeline.ts';
import type { TrafficJob } from '../../messages/traffic.ts';
import { giveBackWrites } from '../accounts/credit-items.ts';
import { addressFingerprint } from '../contacts/contact-items.ts';
import { type ItemKey, itemKeys, slimKeys } from '../keys.ts';
import { optionalNumber, optionalText } from '../optional.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item, Write } from '../table.ts';
import type { MessagePlace } from './message-places.ts';

/** A message as it lies in the table, with the contact that it went to. */
export type StoredMessage = AcceptedMessage & {
  readonly contactId: string | undefined;
  /** While it is `sending` by a worker: its provider was called, and no answer is recorded yet. */
  readonly isUncertain: boolean;
  /** When it is not to be sent any more. */
  readonly expiresMs: number | undefined;
  /** Its slot of the contact's frequency cap, while it is not sent. */
  readonly slotMs: number | undefined;
  /** It is scheduled, and waits for its time. */
  readonly isHeld: boolean;
  /** Until then, one run and no other may be at work on it. */
  readonly claimedUntilMs: number | undefined;
  /** The run that sends it, of an email while it is `sending`. */
  readonly run: string | undefined;
  /** The statuses that it was reported to have come to, and does not move to. */
  readonly lateReports: readonly Status[];
} & Omit<Past, 'message'>;

/** What a message's row says without being opened, and without what may lie beside it. */
export type MessageRow = Omit<StoredMessage, keyof Written | 'failureReason' | 'reference'>;

/** What a sealed field of a message is bound to. It is the same in every partition, so that a message can be moved as it is. */
const place = (account: string, id: string, field: string) => sealedPlace(itemKeys.earlierMessage(account, id), field);

/** Reasons may quote who a message went to. */
export const sealedReason = ({ accountId, cipher, id }: MessagePlace, reason: string): Uint8Array =>
  cipher.seal(place(accountId, id, 'failureReason'), reason);

/** The part of a message that its sender wrote. */
export type Written = Pick<Message, 'to' | 'tags' | 'metadata'>;

const sealedOf = ({ to, tags, metadata }: Written): string => jsonOf({ to, tags, metadata });

const writtenFrom = (json: string): Written => {
  const { to, tags, metadata } = parseJson(json) as Pick<Message, 'to' | 'tags'> & { readonly metadata: object };
  return { to, tags, metadata: JsonText.of(metadata) };
};

/** Where the part of a row lies that is too large for it; undefined when the row has it. */
export const bodyKeyOf = (accountId: string, row: Item): ItemKey | undefined =>
  row['body'] === undefined ? undefined : itemKeys.messageBody(accountId, String(row['SK']), String(row['body']));

/** What the sender of a message wrote, from the row or from the item that is beside it. */
export const writtenIn = (accountId: string, cipher: Cipher, id: string, item: Item): Written =>
  writtenFrom(cipher.open(place(accountId, id, 'sealed'), item['sealed']));

export const rowFrom = (item: Item): MessageRow => {
  const id = String(item['SK']);
  return {
    id,
    channel: item['channel'] as Channel,
    status: item['status'] as Status,
    createdAt: iso(timeOfId(id)),
    ...(item['scheduledAt'] !== undefined && { scheduledAt: String(item['scheduledAt']) }),
    sentAt: optionalText(item['sentAt']) ?? null,
    deliveredAt: optionalText(item['deliveredAt']) ?? null,
    failedAt: optionalText(item['failedAt']) ?? null,
    failureCode: optionalText(item['failureCode']) ?? null,
    price: item['price'] as Price,
    contactId: optionalText(item['contactId']),
    isUncertain: item['claim'] !== undefined,
    expiresMs: optionalNumber(item['expiresMs']),
    slotMs: optionalNumber(item['slotMs']),
    steps: item['steps'] as string[] | undefined,
    isHeld: item['held'] !== undefined,
    claimedUntilMs: optionalNumber(item['claimedUntil']),
    run: optionalText(item['run']),
    lateReports: (item['lateReports'] ?? []) as Status[],
  };
};

/** A message's item, opened. */
export const messageFrom = (
  accountId: string,
  cipher: Cipher,
  item: Item,
  { to, tags, metadata }: Written = writtenIn(accountId, cipher, String(item['SK']), item),
): StoredMessage => {
  const open = (field: string): string | undefined =>
    item[field] === undefined ? undefined : cipher.open(place(accountId, String(item['SK']), field), item[field]);
  return {
    ...rowFrom(item),
    to,
    tags,
    metadata,
    failureReason: open('failureReason') ?? null,
    reference: open('providerReference'),
  };
};

/**
 * Takes out of a message that is over what names its recipient, and what its sender wrote. Refused when its status has changed since its row was
 * read.
 */
export const eraseWrites = ({ accountId, cipher, id, item }: MessagePlace, row: Item): Write[] => {
  const body = bodyKeyOf(accountId, row);
  const nothing = sealedOf({ to: null, tags: [], metadata: emptyObject });
  return [
    {
      Update: {
        Key: item,
        UpdateExpression:
          'SET sealed = :sealed REMOVE body, contactId, failureReason, providerReference, GSI2PK, GSI2SK',
        ConditionExpression: '#status = :read',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':sealed': cipher.seal(place(accountId, id, 'sealed'), nothing),
          ':read': row['status'],
        },
      },
    },
    ...(body ? [{ Delete: { Key: body } }] : []),
  ];
};

/** The content of an unsent text, `held` until its time; undefined for any other message. */
export const textFrom = (accountId: string, cipher: Cipher, item: Item): string | undefined => {
  const sealed = item['content'] ?? item['held'];
  if (!(sealed instanceof Uint8Array)) return undefined;
  const content = cipher.open(place(accountId, String(item['SK']), 'content'), sealed);
  return (JSON.parse(content) as { text: string }).text;
};

/** What a scheduled email has in `held`: its content is too large for the row. */
export const heldBeside = 'beside';

/** Attributes of unsent messages only: the content, its expiry, its slot and the claims. */
const unsentOnly = [
  'content',
  'held',
  'expiresMs',
  'slotMs',
  'claim',
  'claimedUntil',
  'earlierClaim',
  'attempts',
  'run',
];

interface Belongings {
  readonly origin: 'api' | TrafficJob['origin'];
  readonly contactId?: string;
  /** Who can be asked for in the list. A message of a campaign or automation has no recipient. */
  readonly recipient?: Recipient['contact'];
  /** The content of a message that is sent later. */
  readonly text?: string | undefined;
  readonly expiresMs?: number | undefined;
  readonly slotMs?: number | undefined;
  /** The run that sends an email at once. */
  readonly run?: string | undefined;
}

/** What a sender wrote lies in the row up to this size: with its times, keys and steps, a usual row then stays under 1 KB, and a rewrite costs one unit. */
const mostInRow = 300;

/** A message's row, sealed, and the item beside it for what is too large. Only a message of origin `api` makes events. */
export const messageItems = (
  at: MessagePlace,
  { id, channel, status, to, tags, metadata, price, ...message }: AcceptedMessage,
  { text, recipient, run = randomUUID(), ...more }: Belongings,
) => {
  const sealed = at.cipher.seal(place(at.accountId, id, 'sealed'), sealedOf({ to, tags, metadata }));
  const body = sealed.length > mostInRow ? randomUUID() : undefined;
  const content =
    text === undefined ? undefined : at.cipher.seal(place(at.accountId, id, 'content'), JSON.stringify({ text }));
  const row = {
    ...at.item,
    ...at.inIndex(status),
    ...(recipient && slimKeys.message(at.accountId, addressFingerprint(at.cipher, recipient), id)),
    entity: 'message',
    account: at.accountId,
    channel,
    status,
    price,
    sealed: body === undefined ? sealed : undefined,
    body,
    sentAt: message.sentAt ?? undefined,
    deliveredAt: message.deliveredAt ?? undefined,
    failedAt: message.failedAt ?? undefined,
    failureCode: message.failureCode ?? undefined,
    failureReason: message.failureReason === null ? undefined : sealedReason(at, message.failureReason),
    scheduledAt: message.scheduledAt,
    // No worker of texts takes what is held.
    ...(message.scheduledAt === undefined ? { content } : { held: content ?? heldBeside }),
    // Of an email that is sent at once.
    ...(status === 'sending' && more.origin === 'api' && { run }),
    ...more,
  };
  const beside = body && {
    ...itemKeys.messageBody(at.accountId, id, body),
    entity: 'message-body',
    account: at.accountId,
    message: id,
    channel,
    sealed,
  };
  return { row, beside };
};

/** Adds a step to the timeline of a message, in an update that sets something. */
export const stepIn = ({ id }: Pick<MessagePlace, 'id'>, name: Parameters<typeof stepOf>[0], nowMs: number) => ({
  assignment: 'steps = list_append(if_not_exists(steps, :noSteps), :step)',
  values: { ':noSteps': [], ':step': [stepOf(name, nowMs, timeOfId(id))] },
});

interface MoveOptions {
  readonly failure?: RecordedFailure | undefined;
  /** The timeline has this step already, and need not grow. */
  readonly isTold?: boolean;
}

/** The move of a message that a trigger makes, refused where the table of moves does not have it. */
export const moveUpdate = (
  at: MessagePlace,
  trigger: Trigger,
  nowMs: number,
  { failure, isTold = false }: MoveOptions = {},
) => {
  const { on, from, to, stamps = [] } = moveBy(trigger);
  const step = isTold ? undefined : stepIn(at, trigger, nowMs);
  const { GSI1PK } = at.inIndex(to);
  const assignments = [
    ...(step ? [step.assignment] : []),
    '#status = :to',
    ...(GSI1PK === undefined ? [] : ['GSI1PK = :partition']),
    ...stamps.map((stamp) => `${stamp} = if_not_exists(${stamp}, :now)`),
    ...(failure ? ['failureCode = :code'] : []),
    ...(failure?.reason === undefined ? [] : ['failureReason = :reason']),
  ];
  const stale = [
    ...(GSI1PK === undefined ? ['GSI1PK'] : []),
    ...(isUnsent(to) ? [] : unsentOnly),
    // A report may arrive after its timeout.
    ...(stamps.includes('deliveredAt') && !failure ? ['failureCode', 'failureReason'] : []),
  ];
  const fromValues = numbered('from', from);
  const onValues = numbered('on', on);
  return {
    Key: at.item,
    UpdateExpression: `SET ${assignments.join(', ')}${stale.length > 0 ? ` REMOVE ${stale.join(', ')}` : ''}`,
    ConditionExpression: `#status IN (${Object.keys(fromValues)}) AND channel IN (${Object.keys(onValues)})`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ...fromValues,
      ...onValues,
      ...step?.values,
      ':to': to,
      ...(GSI1PK !== undefined && { ':partition': GSI1PK }),
      ...(stamps.length > 0 && { ':now': iso(nowMs) }),
      ...(failure && { ':code': failure.code }),
      ...(failure?.reason !== undefined && { ':reason': sealedReason(at, failure.reason) }),
    },
  };
};

type Move = ReturnType<typeof moveUpdate>;

/** A move that also stores the provider's id of the message. It may contain a phone number. */
export const withReference = (move: Move, { accountId, cipher, id }: MessagePlace, reference: string | undefined) =>
  reference === undefined
    ? move
    : {
        ...move,
        UpdateExpression: move.UpdateExpression.replace('SET ', 'SET providerReference = :reference, '),
        ExpressionAttributeValues: {
          ...move.ExpressionAttributeValues,
          ':reference': cipher.seal(place(accountId, id, 'providerReference'), reference),
        },
      };

/** The provider's id of a message that a report had moved before. One whose recipient has been erased since stays without. */
export const lateReference = ({ item, accountId, cipher, id }: MessagePlace, reference: string) => ({
  Key: item,
  UpdateExpression: 'SET providerReference = :reference',
  ConditionExpression: 'attribute_exists(contactId) AND attribute_not_exists(providerReference)',
  ExpressionAttributeValues: { ':reference': cipher.seal(place(accountId, id, 'providerReference'), reference) },
});

/** A move with an additional condition. */
export const onlyIf = (move: Move, condition: string, values: Readonly<Record<string, unknown>> = {}) => ({
  ...move,
  ConditionExpression: `${move.ConditionExpression} AND (${condition})`,
  ExpressionAttributeValues: { ...move.ExpressionAttributeValues, ...values },
});

/** Why and when a message that was not sent ends. */
export interface UnsentEnd {
  readonly trigger: Trigger;
  readonly failure: Failure;
  readonly nowMs: number;
}

/** A condition of a write, with the values that it names. */
export interface WriteCondition {
  readonly condition: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** The writes that end a message that was not sent and give its price back. The first is refused unless the status and `only` permit it. */
export const endUnsentWrites = (
  at: MessagePlace,
  price: Price,
  { trigger, failure, nowMs }: UnsentEnd,
  only: WriteCondition,
): Write[] => {
  const move = onlyIf(moveUpdate(at, trigger, nowMs, { failure }), only.condition, only.values);
  const end = {
    ...move,
    UpdateExpression: move.UpdateExpression.replace('SET ', 'SET price.credits = :nothing, '),
    ExpressionAttributeValues: { ...move.ExpressionAttributeValues, ':nothing': 0 },
  };
  return [{ Update: end }, ...giveBackWrites(at.accountId, price)];
};

const numbered = (name: string, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value, n) => [`:${name}${n}`, value]));
