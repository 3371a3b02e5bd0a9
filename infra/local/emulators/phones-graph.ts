import * as z from 'zod';
import { jsonIn } from '../../../shared/kit/json-in.ts';
import { jsonReply, type Reply, type Request, type Routes } from './local-server.ts';
import { type MetaError, meta, metaErrors } from './phones-meta.ts';
import type { TakeText } from './phones-store.ts';
import { sampleTemplates } from './phones-templates.ts';

const textMessage = z.object({
  messaging_product: z.literal('whatsapp'),
  to: z.string().regex(/^\+?\d{5,15}$/),
  type: z.literal('text'),
  text: z.object({ body: z.string().min(1).max(4_096) }),
  /** Optional at Meta; here it names the callback that gets the status notifications. */
  biz_opaque_callback_data: z.string().regex(/^[\w-]+:[\w-]+$/),
});

const failure = (status: number, { code, title, details }: MetaError): Reply =>
  jsonReply(status, {
    error: {
      message: `(#${code}) ${title}`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details },
    },
  });

/** The parts of Meta's Graph API that WhatsApp messages and templates need. */
export const graphRoutes = (take: TakeText): Routes => ({
  'POST /{version}/{phoneNumberId}/messages': async (request, _version, phoneNumberId) => {
    if (!isOurs(request)) return failure(401, metaErrors.expired);
    const { data } = textMessage.safeParse(jsonIn(await request.body()));
    if (!data || phoneNumberId !== meta.phoneNumberId) return failure(400, metaErrors.invalid);
    const { biz_opaque_callback_data: callbackData } = data;
    const [accountId = '', messageId = ''] = callbackData.split(':');
    const digits = data.to.replace('+', '');
    const taken = take({
      channel: 'whatsapp',
      to: `+${digits}`,
      from: `+${meta.displayPhoneNumber}`,
      text: data.text.body,
      messageId,
      callbackData,
      reportPath: `/callbacks/whatsapp/${accountId}`,
    });
    if (taken === 'refused') return failure(400, metaErrors.undeliverable);
    if (taken === 'overloaded') return failure(500, metaErrors.unavailable);
    return jsonReply(200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: data.to, wa_id: digits }],
      messages: [{ id: taken.id }],
    });
  },

  'GET /{version}/{businessAccountId}/message_templates': (request, version, businessAccountId) => {
    if (!isOurs(request)) return failure(401, metaErrors.expired);
    if (businessAccountId !== meta.businessAccountId) return failure(400, metaErrors.invalid);
    const limit = Number(request.query.get('limit') ?? 25);
    const start = Number(request.query.get('after') ?? 0);
    const end = start + limit;
    const here = `http://${request.headers.host}/${version}/${businessAccountId}/message_templates`;
    return jsonReply(200, {
      data: sampleTemplates.slice(start, end),
      paging: {
        cursors: { before: String(start), after: String(end) },
        ...(end < sampleTemplates.length && { next: `${here}?limit=${limit}&after=${end}` }),
      },
    });
  },
});

const isOurs = ({ headers }: Request): boolean => headers.authorization === `Bearer ${meta.accessToken}`;
