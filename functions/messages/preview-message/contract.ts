import * as z from 'zod';
import { creditCounters } from '../../../shared/accounts/credits.ts';
import { contract } from '../../../shared/http/contract.ts';
import { faultCodes } from '../../../shared/kit/fault.ts';
import { channels } from '../../../shared/messages/message.ts';
import { sendMessageContract } from '../send-message/contract.ts';

const text = z.string().nullable();

export const previewMessageContract = contract({
  summary: 'Show what a send would do now, without sending',
  description:
    'Takes the body of a send, and returns the rendered message with the verdict of a send at this moment. Nothing is stored, counted or charged. A body that a send answers with 400 is answered with the same 400. A message whose content is more than 2.5 MB, which only a send takes, is refused, too.',
  example: {
    channel: 'sms',
    to: '+8801700000000',
    text: 'Your code is {{code}}.',
    variables: { code: '1234' },
  },
  status: 200,
  body: sendMessageContract.body,
  reply: z
    .object({
      verdict: z
        .enum(['accepted', 'blocked', 'refused'])
        .describe('`blocked`: a rule blocks the send. `refused`: it fails for another reason.'),
      code: z
        .enum(faultCodes)
        .nullable()
        .describe('The error code that a send would return: `send_blocked` if blocked; null if accepted.'),
      message: text.describe('The reason; null if accepted.'),
      retryAt: z
        .string()
        .meta({ format: 'date-time' })
        .nullable()
        .describe('From when the rule no longer blocks the send, where a time decides.'),
      channel: z.enum(channels),
      to: z.string(),
      from: text.describe('Email only: the address that the email would be sent from.'),
      subject: text.describe('Email only.'),
      html: text.describe('Email only.'),
      text: text.describe('With its variables expanded.'),
      segments: z.int().nullable().describe('Sms only.'),
      encoding: z.enum(['gsm7', 'ucs2']).nullable().describe('Sms only.'),
      credits: z.int().nullable().describe('What the send would cost.'),
      counter: z.enum(creditCounters).nullable().describe('The counter that would pay; null if the send is free.'),
      creditsLeft: z.int().nullable().describe('What the account has on that counter now.'),
    })
    .meta({
      examples: [
        {
          verdict: 'accepted',
          code: null,
          message: null,
          retryAt: null,
          channel: 'sms',
          to: '+8801700000000',
          from: null,
          subject: null,
          html: null,
          text: 'Your code is 1234.',
          segments: 1,
          encoding: 'gsm7',
          credits: 1,
          counter: 'smsMasked',
          creditsLeft: 98,
        },
      ],
    }),
  refuses: ['invalid_request', 'invalid_recipient', 'invalid_attachment', 'attachment_too_large'],
});
