import * as z from 'zod';
import type { SendBody } from '../../../shared/compliance/draft.ts';
import { contract } from '../../../shared/http/contract.ts';
import { refusal } from '../../../shared/http/read-request.ts';
import { docsUrlOf, type Fault, faultCodes } from '../../../shared/kit/fault.ts';
import { grouped } from '../../../shared/kit/grouped.ts';
import { exampleMessage, message, mostMessages } from '../../../shared/messages/message.ts';
import { sendMessageContract } from '../send-message/contract.ts';

type Row = { readonly body: SendBody } | { readonly fault: Fault };

/** A bad row does not stop the batch: what is wrong with it takes its place. */
const row = sendMessageContract.body
  .transform((body): Row => ({ body }))
  .catch(({ error }): Row => ({ fault: refusal(error.issues) }));

/** Lambda answers with 6 MB at most, in which the body is a JSON text: each quote in it takes two bytes. Other fields of 100 rows take up to 300 KB. */
const mostReturnedBytes = 5_900_000;

const returnedBytes = (one: Row): number => {
  if ('fault' in one) return 0;
  const { metadata, tags } = one.body;
  return Buffer.byteLength(JSON.stringify([metadata?.text, JSON.stringify(tags)]));
};

export const sendMessagesContract = contract({
  summary: 'Send up to 100 messages',
  description:
    'Each row is a body of `POST /messages`, also with `sendAt`. Rows are accepted or refused one by one, several at a time: a bad row does not stop the others, and which of them get the last credits, or the last places of a frequency cap, does not follow from their order. `results` has the outcome of each row, in input order. A row that fails with `internal_error` was not accepted: send it again, under a new Idempotency-Key. Repeat a batch that was answered with 5xx with the same rows: with others, where some were accepted, it is refused with 409. The batch counts as one request for the rate limit.',
  example: {
    messages: [
      {
        channel: 'email',
        to: 'ada@example.com',
        subject: 'Your receipt',
        text: 'Thank you.',
        tags: ['receipt'],
        metadata: { orderId: '1042' },
      },
      { channel: 'sms', to: '+8801712345678', text: 'Your code is 1234.' },
    ],
  },
  status: 200,
  body: z.object({
    messages: z
      .array(row)
      .min(1)
      .max(mostMessages)
      .refine(
        (rows) => rows.reduce((sum, one) => sum + returnedBytes(one), 0) <= mostReturnedBytes,
        `must have at most ${grouped(mostReturnedBytes)} bytes of tags and metadata in total, as escaped JSON`,
      )
      .describe(`With at most ${grouped(mostReturnedBytes)} bytes of tags and metadata in total, as escaped JSON.`),
  }),
  reply: z
    .object({
      results: z.array(
        z.object({
          index: z.int(),
          status: z.enum(['accepted', 'failed']),
          message: message.optional().describe('The accepted message.'),
          error: z
            .object({ code: z.enum(faultCodes), message: z.string(), docsUrl: z.string() })
            .optional()
            .describe('Why the message was not accepted: the error that `POST /messages` would return.'),
        }),
      ),
      accepted: z.int(),
      failed: z.int(),
    })
    .meta({
      examples: [
        {
          results: [
            {
              index: 0,
              status: 'accepted',
              message: exampleMessage,
            },
            {
              index: 1,
              status: 'failed',
              error: {
                code: 'send_blocked',
                message: 'The contact has not consented to sms.',
                docsUrl: docsUrlOf('send_blocked'),
              },
            },
          ],
          accepted: 1,
          failed: 1,
        },
      ],
    }),
  isReplayable: true,
  refuses: ['invalid_request', 'idempotency_conflict'],
});
