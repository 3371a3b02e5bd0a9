import type { Mistake } from './mistake.ts';

const credits = 'credits are what was granted less what messages cost, and equal the ledger';
const onceEach = 'every transition has its event, once';
const oneDelivery = 'every active subscription gets each event that it wants, as one delivery';
const noGap = 'sequence numbers have no gap';
const final = 'every message reaches a final status';
const deliveriesEnd = 'every delivery ends, after a success or five attempts';
const oneEffect = 'one effect per request, and per idempotency key';
const oneMail = 'an email is sent once at most, and was sent if it says so';
const givenBack = 'a message that ended unsent is given back';
const taken = 'a message that was given back was not taken by its provider';
const abandoned = 'no work is given up or left hanging';
const contacts = 'an address is one contact';
const slots = 'a text that was not sent keeps no slot of the frequency cap';

/** Mistakes with messages, and the work that follows from them, that the simulation must find. */
export const messagingMistakes: readonly Mistake[] = [
  {
    name: 'a send takes credits that are not there',
    file: 'shared/table/accounts/credit-items.ts',
    find: `\`\${counter} >= :\${counter}Least\``,
    replace: `\`(\${counter} >= :\${counter}Least OR attribute_exists(PK))\``,
    breaks: ['credits are never below zero'],
  },
  {
    name: 'a message that ends unsent gives nothing back',
    file: 'shared/table/messages/message-items.ts',
    find: 'return [{ Update: end }, ...giveBackWrites(at.accountId, price)];',
    replace: 'return [{ Update: end }];',
    breaks: [credits],
  },
  {
    name: 'a message that ends unsent keeps its price',
    file: 'shared/table/messages/message-items.ts',
    find: "'SET price.credits = :nothing, '",
    replace: "'SET given = :nothing, '",
    breaks: [givenBack, credits],
  },
  {
    name: 'a withdrawn message is not given back',
    file: 'shared/table/messages/message-store.ts',
    find: '        ...giveBackWrites(account.id, paidPrice(row, message)),\n',
    replace: '',
    breaks: [credits],
  },
  {
    name: 'what an interrupted send stored beside its message stays',
    file: 'shared/table/messages/message-store.ts',
    find: "if (row?.['body'] !== body) await",
    replace: "if (row?.['body'] === '') await",
    breaks: ['nothing lies beside a message that does not refer to it'],
  },
  {
    name: 'a key that is taken over gets a new id',
    file: 'shared/table/accounts/idempotency-store.ts',
    find: 'newId = if_not_exists(newId, :newId)',
    replace: 'newId = :newId',
    breaks: [oneEffect],
  },
  {
    name: 'a withdrawn email is answered as accepted',
    file: 'shared/messages/send-mail.ts',
    find: 'if (retryAfterSeconds !== undefined)',
    replace: 'if (retryAfterSeconds === undefined) return message;\n  if (retryAfterSeconds !== undefined)',
    breaks: ['every 201 has a row', credits],
  },
  {
    name: 'an email that a busy provider did not take is never due',
    file: 'shared/table/messages/send-store.ts',
    find: '{ Put: { Item: dueRow(account.id, message, retryKeyOf(message.id, nowMs), pointer) } },',
    replace: '',
    breaks: ['every message reaches a final status'],
  },
  {
    name: 'an email without an answer is sent again',
    file: 'shared/aws/aws-call.ts',
    find: "? 'unavailable' : 'unknown'",
    replace: "? 'unavailable' : 'unavailable'",
    breaks: [oneMail, taken, 'no mail is of an unknown message'],
  },
  {
    name: 'a send that has not ended when the outbox reads that it began is not watched',
    file: 'functions/outbox/route-changes/consequences.ts',
    find: 'if (!fits(latest.get(keyOf(after)), onlyWhile)) return [];',
    replace: 'if (Object.keys(onlyWhile).length > 0) return [];',
    breaks: [final],
  },
  {
    name: 'an interrupted send is not watched',
    file: 'functions/messages/end-interrupted-send/end-cut-off-send.ts',
    find: "if (message?.status !== 'sending' || message.isHeld) return;",
    replace: 'if (message) return;',
    breaks: [final],
  },
  {
    name: 'an opened mail can be opened after a click',
    file: 'shared/messages/moves.ts',
    find: "opened: { on: ['email'], from: [...underWay, 'delivered']",
    replace: "opened: { on: ['email'], from: [...underWay, 'delivered', 'clicked']",
    breaks: ['statuses move along the table only', abandoned],
  },
  {
    name: 'a move leaves no step',
    file: 'shared/messages/timeline.ts',
    find: `\`\${signs[name]}\${(atMs - acceptedMs).toString(36)}\``,
    replace: `\`\${name === 'opened' ? '' : signs[name]}\${(atMs - acceptedMs).toString(36)}\``,
    breaks: ['every move is in the timeline'],
  },
  {
    name: 'what is due is found an hour later',
    file: 'functions/messages/send-scheduled/sweep-due.ts',
    find: 'nowMs + lookAheadMs',
    replace: 'nowMs - 3_600_000',
    breaks: ['a scheduled message is sent at its time'],
  },
  {
    name: 'a sweep of what is scheduled is never made, because it seems to come late',
    file: 'functions/messages/send-scheduled/handler.ts',
    find: 'waitedMs >= sweepWaitsMs',
    replace: 'waitedMs >= 0',
    breaks: [final, 'a scheduled message is sent at its time'],
  },
  {
    name: 'a text whose worker failed too often counts as sent',
    file: 'functions/messages/end-interrupted-send/end-unsent-text.ts',
    find: 'if (acceptedMs !== undefined) {',
    replace: 'if (acceptedMs === undefined) {',
    breaks: [final, 'a text was taken by its provider if it says so'],
  },
  {
    name: 'a round that brings a delivery back leaves out an attempt',
    file: 'functions/chores/do-chore/bring-back.ts',
    find: 'attempt: Math.max(attemptsMade, earlierAttempts + 1),',
    replace: 'attempt: attemptsMade + 2,',
    breaks: [deliveriesEnd],
  },
  {
    name: 'a text that was not claimed is sent all the same',
    file: 'shared/table/messages/text-send-store.ts',
    find: "const isFree = 'attribute_not_exists(claim) OR claimedUntil < :free';",
    replace: "const isFree = 'attribute_not_exists(claim) OR claimedUntil < :free OR attribute_exists(claim)';",
    breaks: ['a text is sent once where nothing fails', 'every move is in the timeline', givenBack, taken],
  },
  {
    name: 'a text that did not reach its provider counts as sent',
    file: 'shared/providers/text/exchange-outcome.ts',
    find: "return { kind: 'unavailable' };",
    replace: "return { kind: 'accepted', reference: undefined };",
    breaks: ['a text was taken by its provider if it says so'],
  },
  {
    name: 'a change that a queue refused is not routed again',
    file: 'functions/outbox/route-changes/handler.ts',
    find: 'of left.flat())',
    replace: 'of left.flat().slice(0, 0))',
    breaks: [final, oneDelivery, onceEach, noGap, 'who is made a member is told so by email'],
  },
  {
    name: 'a failed job does not come back',
    file: 'shared/work/queue-worker.ts',
    find: '          failed.add(each.jobId);\n',
    replace: '',
    breaks: [final, onceEach, oneDelivery, deliveriesEnd, noGap, 'a scheduled message is sent at its time'],
  },
  {
    name: 'a batch of changes that comes again is counted again',
    file: 'shared/table/messages/analytics-store.ts',
    find: '([digest]) => !counted.has(digest),',
    replace: '([digest]) => !counted.has(digest) || counted.size > 0,',
    breaks: ['analytics equal a recount', credits, abandoned],
  },
  {
    name: 'a function mixes up the accounts that it has read',
    file: 'shared/table/accounts/account-store.ts',
    find: `  const read = async (id: string): Promise<Item | undefined> => {
    const learn = spreads.learning();
    const item = isId(id) ? await table.get(itemKeys.account(id)) : undefined;`,
    replace: `  let first: Item | undefined;
  const read = async (id: string): Promise<Item | undefined> => {
    const learn = spreads.learning();
    const item = isId(id) ? (first ??= await table.get(itemKeys.account(id))) : undefined;`,
    breaks: ['a request changes nothing of another account', final, abandoned],
  },
  {
    name: 'an address can have two contacts',
    file: 'shared/table/contacts/contact-items.ts',
    find: '...(email === null ? [] : [lock(',
    replace: '...(email !== undefined ? [] : [lock(',
    breaks: [
      contacts,
      // News is of one of the two.
      'a contact is what is told of its messages',
      'the score of a contact counts each outcome once',
    ],
  },
  {
    name: 'a cancelled message keeps its credits',
    file: 'shared/table/messages/scheduled-store.ts',
    find: '        ...giveBackWrites(account.id, message.price),\n        ...(body',
    replace: '        ...(body',
    breaks: [credits],
  },
  {
    name: 'a message that is being sent can be cancelled',
    file: 'shared/table/messages/scheduled-store.ts',
    find: `\`\${queued.condition} AND attribute_exists(held)\``,
    replace: "'(#status = :queued OR attribute_exists(PK))'",
    breaks: [
      abandoned,
      'what was cancelled is gone, and is not sent',
      'no mail is of an unknown message',
      credits,
      slots,
    ],
  },
  {
    name: 'a message is sent at the time that it had before',
    file: 'shared/table/messages/scheduled-store.ts',
    find: '        dueAt(account.id, id, dueKeyOf(id, atMs)),\n',
    replace: '',
    breaks: ['a scheduled message is sent at its time', 'all is over in bounded time', final],
  },
];
