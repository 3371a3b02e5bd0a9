import type { SendBody } from '../../../shared/compliance/draft.ts';
import { type SenderNeeds, sender } from '../../../shared/compliance/send.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { nthId } from '../../../shared/kit/id.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import type { AcceptedMessage } from '../../../shared/messages/new-message.ts';
import { recipientOf } from '../../../shared/messages/recipient.ts';
import type { sendMessagesContract } from './contract.ts';

export type SendMessagesNeeds = SenderNeeds;

type Request = Input<typeof sendMessagesContract>;
type Answer = Reply<typeof sendMessagesContract>;
type Result = Answer['results'][number];

const atATime = 10;
/** A mail with 7 MB of files takes 70 MB while it is sent, and ten at a time would take most of the function's memory. */
const withUploadsAtATime = 3;
/** A row that begins by then ends before the function's 25 s do, also where the email provider makes it wait. */
const beginWithinMs = 10_000;

/** Sends each row as a message of its own. A row's id depends only on its position, so a repeated request finds what an earlier one accepted. */
export const sendMessages = (needs: SendMessagesNeeds) => {
  const send = sender(needs);

  /** A row that is not sent now: this or an earlier run may have accepted it. */
  const foundRow = async ({ account, newId }: Request, row: SendBody, index: number): Promise<Result> => {
    const message = await needs.messages.find(account, nthId(newId, index));
    return message ? resultOf(index, row, message) : failed(index);
  };

  const sendRow = async (request: Request, index: number): Promise<Result> => {
    const { account, body, newId, nowMs, isResumed } = request;
    const row = body.messages[index];
    if (!row || 'fault' in row) return failed(index, row?.fault);
    const id = nthId(newId, index);
    if (needs.clock() > nowMs + beginWithinMs) return isResumed ? foundRow(request, row.body, index) : failed(index);
    try {
      return resultOf(index, row.body, await send({ account, body: row.body, newId: id, nowMs, isResumed }));
    } catch (thrown) {
      if (thrown instanceof Fault) return failed(index, thrown);
      log('error', 'a row of a batch failed', { messageId: id, ...causeOf(thrown) });
      // It may have been accepted, and its answer lost.
      return foundRow(request, row.body, index);
    }
  };

  const lanesOf = (request: Request, indexes: readonly number[] = [], most: number): Promise<Result[]>[] =>
    Array.from({ length: Math.min(most, indexes.length) }, async (_, lane) => {
      const results: Result[] = [];
      for (let n = lane; n < indexes.length; n += most) results.push(await sendRow(request, indexes[n] ?? 0));
      return results;
    });

  return async (request: Request): Promise<Answer> => {
    const rows = Map.groupBy(request.body.messages.keys(), (index) => hasUpload(request.body.messages[index]));
    const lanes = [
      ...lanesOf(request, rows.get(false), atATime),
      ...lanesOf(request, rows.get(true), withUploadsAtATime),
    ];
    // One of unknown outcome fails the request, which a repetition resumes: nothing may be at work on it then.
    await Promise.allSettled(lanes);
    const results = (await Promise.all(lanes)).flat().sort((a, b) => a.index - b.index);
    const accepted = results.filter(({ status }) => status === 'accepted').length;
    return { results, accepted, failed: results.length - accepted };
  };
};

const hasUpload = (row: Request['body']['messages'][number] | undefined): boolean =>
  row !== undefined && 'body' in row && row.body.attachments?.some(({ uploadId }) => uploadId !== undefined) === true;

const unavailable = new Fault(
  'internal_error',
  'The message was not accepted: the service is temporarily unavailable.',
);

const otherRecipient = new Fault(
  'idempotency_conflict',
  'An earlier request with this Idempotency-Key sent this row to another recipient. Send it with a new key.',
);

const addressOf = ({ channel, to }: Pick<AcceptedMessage, 'channel' | 'to'>): string =>
  `${channel} ${recipientOf(channel, to ?? '')?.address.toLowerCase()}`;

/** What came of a row, which is never told of the message of another one: the rows of a repeated request may be others. */
const resultOf = (index: number, row: SendBody, message: AcceptedMessage): Result =>
  addressOf(message) === addressOf(row) ? { index, status: 'accepted', message } : failed(index, otherRecipient);

const failed = (index: number, { code, message }: Fault = unavailable): Result => ({
  index,
  status: 'failed',
  error: { code, message },
});
