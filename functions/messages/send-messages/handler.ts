import { type SenderNeeds, sender } from '../../../shared/compliance/send.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { docsUrlOf, Fault } from '../../../shared/kit/fault.ts';
import { nthId } from '../../../shared/kit/id.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import type { Mail } from '../../../shared/messages/mail.ts';
import { mostMessages } from '../../../shared/messages/message.ts';
import type { AcceptedMessage } from '../../../shared/messages/new-message.ts';
import { recipientOf } from '../../../shared/messages/recipient.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { sendMessagesContract } from './contract.ts';

export interface SendMessagesNeeds extends SenderNeeds {
  readonly email: EmailProvider;
}

type Request = Input<typeof sendMessagesContract>;
type Row = Request['body']['messages'][number];
type Answer = Reply<typeof sendMessagesContract>;
type Result = Answer['results'][number];
type Accepted = readonly (AcceptedMessage | undefined)[];

const atATime = 10;
/** A mail with 7 MB of files takes 70 MB while it is sent, and ten at a time would take most of the function's memory. */
const withUploadsAtATime = 3;
/** A row that begins by then ends before the function's 25 s do, also where the email provider makes it wait. */
const beginWithinMs = 10_000;
/** Until then, rows wait for the provider's sending rate: at 14 a second, nearly all of them are sent. The others are put off in the time that is left. */
const rateWithinMs = 7_000;

/** Sends each row as a message of its own. A row's id depends only on its position, so a repeated request finds what an earlier one accepted. */
export const sendMessages = (needs: SendMessagesNeeds) => {
  const { clock } = needs;

  /** The rows of a request wait for the provider's sending rate together. */
  const senderOf = ({ nowMs }: Request) => {
    const email = { send: (mail: Mail) => needs.email.send(mail, nowMs + rateWithinMs - clock()) };
    return sender({ ...needs, email });
  };

  /** The messages that earlier runs of the request accepted, in the places of their rows. */
  const acceptedBefore = async ({ account, body, newId, isResumed }: Request): Promise<Accepted> => {
    const places = Array.from({ length: isResumed ? mostMessages : 0 }, (_, n) => nthId(newId, n));
    const found = await Promise.all(places.map((id) => needs.messages.find(account, id)));
    if (found.some((message, n) => message && !isOf(message, body.messages[n]))) throw otherRows;
    return found;
  };

  const sendRow = async (request: Request, index: number, before: Accepted): Promise<Result> => {
    const { account, body, newId, nowMs, isResumed } = request;
    const [row, known] = [body.messages[index], before[index]];
    const id = nthId(newId, index);
    if (known) return accepted(index, known);
    if (!row || 'fault' in row) return failed(index, row?.fault);
    if (clock() > nowMs + beginWithinMs) return failed(index);
    try {
      return accepted(index, await senderOf(request)({ account, body: row.body, newId: id, nowMs, isResumed }));
    } catch (thrown) {
      if (thrown instanceof Fault) return failed(index, thrown);
      log('error', 'a row of a batch failed', { messageId: id, ...causeOf(thrown) });
      // It may have been accepted, and its answer lost.
      const message = await needs.messages.find(account, id, row.body.channel);
      return message ? accepted(index, message) : failed(index);
    }
  };

  const lanesOf = (
    request: Request,
    before: Accepted,
    indexes: readonly number[] = [],
    most: number,
  ): Promise<Result[]>[] =>
    Array.from({ length: Math.min(most, indexes.length) }, async (_, lane) => {
      const results: Result[] = [];
      for (let n = lane; n < indexes.length; n += most) results.push(await sendRow(request, indexes[n] ?? 0, before));
      return results;
    });

  return async (request: Request): Promise<Answer> => {
    const before = await acceptedBefore(request);
    const rows = Map.groupBy(request.body.messages.keys(), (index) => hasUpload(request.body.messages[index]));
    const lanes = [
      ...lanesOf(request, before, rows.get(false), atATime),
      ...lanesOf(request, before, rows.get(true), withUploadsAtATime),
    ];
    // One of unknown outcome fails the request, which a repetition resumes: nothing may be at work on it then.
    await Promise.allSettled(lanes);
    const results = (await Promise.all(lanes)).flat().sort((a, b) => a.index - b.index);
    const taken = results.filter(({ status }) => status === 'accepted').length;
    return { results, accepted: taken, failed: results.length - taken };
  };
};

const hasUpload = (row: Row | undefined): boolean =>
  row !== undefined && 'body' in row && row.body.attachments?.some(({ uploadId }) => uploadId !== undefined) === true;

const unavailable = new Fault(
  'internal_error',
  'The message was not accepted: the service is temporarily unavailable. Send it again in a batch with a new Idempotency-Key.',
);

const otherRows = new Fault(
  'idempotency_conflict',
  'An earlier request with this Idempotency-Key accepted other rows. Repeat it with its rows, or use a new key.',
);

const addressOf = ({ channel, to }: Pick<AcceptedMessage, 'channel' | 'to'>): string =>
  `${channel} ${recipientOf(channel, to ?? '')?.address.toLowerCase()}`;

/** Whether a message can be of this row. One of a person who was erased names no recipient. */
const isOf = (message: AcceptedMessage, row: Row | undefined): boolean =>
  message.to === null || (row !== undefined && 'body' in row && addressOf(message) === addressOf(row.body));

const accepted = (index: number, message: AcceptedMessage): Result => ({ index, status: 'accepted', message });

const failed = (index: number, { code, message }: Fault = unavailable): Result => ({
  index,
  status: 'failed',
  error: { code, message, docsUrl: docsUrlOf(code) },
});
