import * as z from 'zod';
import { jsonIn } from '../../../shared/kit/json-in.ts';
import { jsonReply, type Routes } from './local-server.ts';
import type { TextNews } from './phones-outcomes.ts';
import type { StoredText, TakeText } from './phones-store.ts';

const submission = z.object({
  to: z.string().regex(/^\+\d{5,15}$/),
  from: z.string(),
  text: z.string().min(1),
  messageId: z.string().min(1),
  reportUrl: z.url(),
});

const refusal = (code: string, reason: string) => jsonReply(400, { status: 'refused', code, reason });

/** An HTTP sms gateway, as many carriers offer: `POST /sms`. It sends one message per `messageId`. */
export const gatewayRoutes = (take: TakeText): Routes => ({
  'POST /sms': async ({ body }) => {
    const { data, error } = submission.safeParse(jsonIn(await body()));
    if (error) return refusal('invalid_request', z.prettifyError(error));
    const { pathname, search } = new URL(data.reportUrl);
    const taken = take({ ...data, channel: 'sms', callbackData: '', reportPath: pathname + search });
    if (taken === 'refused') return refusal('unknown_subscriber', 'The number is not in service.');
    if (taken === 'overloaded') return jsonReply(500, { status: 'error' });
    return jsonReply(200, { status: 'accepted', id: taken.id });
  },
});

const reasons: Readonly<Partial<Record<TextNews['eventType'], { readonly code: string; readonly reason: string }>>> = {
  failed: { code: 'absent_subscriber', reason: 'The phone could not be reached.' },
  rejected: { code: 'carrier_rule', reason: 'The carrier does not take this text.' },
};

/** A delivery report, as the gateway posts it. */
export const deliveryReport = ({ id, messageId, to }: StoredText, { eventType }: TextNews) => ({
  body: JSON.stringify({ id, messageId, to, status: eventType, ...reasons[eventType] }),
  headers: { 'content-type': 'application/json' },
});
