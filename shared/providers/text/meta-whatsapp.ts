import * as z from 'zod';
import { jsonIn } from '../../kit/json-in.ts';
import { isOfRate, isOfSender, metaMeaning, unknownMetaCode } from '../../messages/meta-codes.ts';
import type { MetaSettings } from '../../messages/text-settings.ts';
import type { Exchange, SendRequest } from '../http/pinned-request.ts';
import { isOfSetup, isSuccess, outcomeByStatus, outcomeWithoutAnswer, refusal } from './exchange-outcome.ts';
import type { TextOutcome, TextProvider } from './text-provider.ts';

/**
 * Meta's WhatsApp Cloud API (`POST /{phoneNumberId}/messages`). It has no idempotency key, but its
 * status notifications return `biz_opaque_callback_data`.
 */
export const metaWhatsapp = (
  { graphUrl, phoneNumberId, accessToken }: MetaSettings,
  { request }: { readonly request: SendRequest },
): TextProvider => ({
  takesReference: false,
  send: async ({ to, text, accountId, messageId }) =>
    outcomeOf(
      await request({
        method: 'POST',
        url: `${graphUrl}/${phoneNumberId}/messages`,
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to,
          type: 'text',
          text: { preview_url: false, body: text },
          biz_opaque_callback_data: `${accountId}:${messageId}`,
        }),
      }),
    ),
});

const acceptance = z.object({ messages: z.tuple([z.object({ id: z.string() })], z.unknown()) });

/** The Graph API's error. The code decides; the reported text is `details`, or else the message. */
const refused = z.object({
  error: z.object({
    code: z.int(),
    message: z.string().optional(),
    error_data: z.object({ details: z.string().optional() }).optional(),
  }),
});

const outcomeOf = ({ answer, failure }: Exchange): TextOutcome => {
  if (!answer) return outcomeWithoutAnswer(failure);
  const document = jsonIn(answer.body);
  if (isSuccess(answer)) return { kind: 'accepted', reference: acceptance.safeParse(document).data?.messages[0].id };

  const error = refused.safeParse(document).data?.error;
  const meaning = error && metaMeaning(error.code);
  if (meaning?.retryAfterSeconds !== undefined)
    return { kind: isOfRate(meaning) ? 'throttled' : 'unavailable', waitSeconds: meaning.retryAfterSeconds };
  const byStatus = meaning ? undefined : outcomeByStatus(answer);
  if (byStatus) return byStatus;
  const code = meaning?.code ?? (error ? unknownMetaCode(error.code) : `http_${answer.statusCode}`);
  return refusal(
    code,
    error?.error_data?.details ?? error?.message ?? `Meta responded with status ${answer.statusCode}.`,
    meaning ? isOfSender(meaning) : isOfSetup(answer),
  );
};
