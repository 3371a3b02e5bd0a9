import type { SendBody } from '../../../shared/compliance/draft.ts';
import { type SenderNeeds, sender } from '../../../shared/compliance/send.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import { newMessageId } from '../../../shared/messages/new-message.ts';
import type { sendMessagesContract } from './contract.ts';

export type SendMessagesNeeds = SenderNeeds;

type Request = Input<typeof sendMessagesContract>;
type Answer = Reply<typeof sendMessagesContract>;
type Result = Answer['results'][number];
type Batch = Request & { readonly ids: readonly string[] };

const atATime = 10;
/** A mail with 7 MB of files takes 70 MB while it is sent, and ten at a time would take most of the function's memory. */
const withUploadsAtATime = 3;
/** A row that begins by then ends before the function's 25 s do, also where the email provider makes it wait. */
const beginWithinMs = 10_000;

/**
 * The id of each row's message, which depends on its recipient and on how many rows before it have the same, but not on its position: a repeated
 * request finds what an earlier one accepted, also where rows were left out or added.
 */
const idsOf = (request: Request): readonly string[] => {
  const { newId, body } = request;
  const before = new Map<string, number>();
  return body.messages.map((row) => {
    if ('fault' in row) return newId;
    const recipient = `${row.body.channel} ${row.body.to}`;
    const nth = before.get(recipient) ?? 0;
    before.set(recipient, nth + 1);
    return newMessageId(newId, row.body, nth);
  });
};

/** Sends each row as a message of its own. */
export const sendMessages = (needs: SendMessagesNeeds) => {
  const send = sender(needs);

  /** A row that is not sent now: this or an earlier run may have accepted it. */
  const foundRow = async ({ account, ids }: Batch, { channel }: SendBody, index: number): Promise<Result> => {
    const message = await needs.messages.find(account, ids[index] ?? '', channel);
    return message ? { index, status: 'accepted', message } : failed(index);
  };

  const sendRow = async (batch: Batch, index: number): Promise<Result> => {
    const { account, body, ids, nowMs, isResumed } = batch;
    const row = body.messages[index];
    if (!row || 'fault' in row) return failed(index, row?.fault);
    if (needs.clock() > nowMs + beginWithinMs) return isResumed ? foundRow(batch, row.body, index) : failed(index);
    const newId = ids[index] ?? '';
    try {
      return {
        index,
        status: 'accepted',
        message: await send({ account, body: row.body, newId, nowMs, isResumed }),
      };
    } catch (thrown) {
      if (thrown instanceof Fault) return failed(index, thrown);
      log('error', 'a row of a batch failed', { messageId: newId, ...causeOf(thrown) });
      // It may have been accepted, and its answer lost.
      return foundRow(batch, row.body, index);
    }
  };

  const lanesOf = (batch: Batch, indexes: readonly number[] = [], most: number): Promise<Result[]>[] =>
    Array.from({ length: Math.min(most, indexes.length) }, async (_, lane) => {
      const results: Result[] = [];
      for (let n = lane; n < indexes.length; n += most) results.push(await sendRow(batch, indexes[n] ?? 0));
      return results;
    });

  return async (request: Request): Promise<Answer> => {
    const batch = { ...request, ids: idsOf(request) };
    const rows = Map.groupBy(request.body.messages.keys(), (index) => hasUpload(request.body.messages[index]));
    const lanes = [...lanesOf(batch, rows.get(false), atATime), ...lanesOf(batch, rows.get(true), withUploadsAtATime)];
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

const failed = (index: number, { code, message }: Fault = unavailable): Result => ({
  index,
  status: 'failed',
  error: { code, message },
});
