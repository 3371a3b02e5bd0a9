import type { SendBody } from '../../../shared/compliance/draft.ts';
import { type SenderNeeds, sender } from '../../../shared/compliance/send.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { nthId } from '../../../shared/kit/id.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import type { sendMessagesContract } from './contract.ts';

export type SendMessagesNeeds = SenderNeeds;

type Request = Input<typeof sendMessagesContract>;
type Answer = Reply<typeof sendMessagesContract>;
type Result = Answer['results'][number];

const atATime = 10;
/** A row that begins by then ends before the function's 25 s do, also where the email provider makes it wait. */
const beginWithinMs = 10_000;

/** Sends each row as a message of its own. A row's id depends only on its position, so a repeated request finds what an earlier one accepted. */
export const sendMessages = (needs: SendMessagesNeeds) => {
  const send = sender(needs);

  /** A row that is not sent now: this or an earlier run may have accepted it. */
  const foundRow = async ({ account, newId }: Request, { channel }: SendBody, index: number): Promise<Result> => {
    const message = await needs.messages.find(account, nthId(newId, index), channel);
    return message ? { index, status: 'accepted', message } : failed(index);
  };

  const sendRow = async (request: Request, index: number): Promise<Result> => {
    const { account, body, newId, nowMs, isResumed } = request;
    const row = body.messages[index];
    if (!row || 'fault' in row) return failed(index, row?.fault);
    const id = nthId(newId, index);
    if (needs.clock() > nowMs + beginWithinMs) return isResumed ? foundRow(request, row.body, index) : failed(index);
    try {
      return {
        index,
        status: 'accepted',
        message: await send({ account, body: row.body, newId: id, nowMs, isResumed }),
      };
    } catch (thrown) {
      if (thrown instanceof Fault) return failed(index, thrown);
      log('error', 'a row of a batch failed', { messageId: id, ...causeOf(thrown) });
      // It may have been accepted, and its answer lost.
      return foundRow(request, row.body, index);
    }
  };

  return async (request: Request): Promise<Answer> => {
    const { length } = request.body.messages;
    const lanes = Array.from({ length: Math.min(atATime, length) }, async (_, lane) => {
      const results: Result[] = [];
      for (let index = lane; index < length; index += atATime) results.push(await sendRow(request, index));
      return results;
    });
    // One of unknown outcome fails the request, which a repetition resumes: nothing may be at work on it then.
    await Promise.allSettled(lanes);
    const results = (await Promise.all(lanes)).flat().sort((a, b) => a.index - b.index);
    const accepted = results.filter(({ status }) => status === 'accepted').length;
    return { results, accepted, failed: results.length - accepted };
  };
};

const unavailable = new Fault(
  'internal_error',
  'The message was not accepted: the service is temporarily unavailable.',
);

const failed = (index: number, { code, message }: Fault = unavailable): Result => ({
  index,
  status: 'failed',
  error: { code, message },
});
