import { createHmac, randomBytes } from 'node:crypto';
import type { TextNews } from './phones-outcomes.ts';
import type { StoredText } from './phones-store.ts';

/** The simulated account with Meta. These values protect nothing and are public. */
export const meta = {
  phoneNumberId: '100000000000001',
  businessAccountId: '100000000000002',
  displayPhoneNumber: '15550000001',
  accessToken: 'simulator-access-token',
  appSecret: 'simulator-app-secret',
} as const;

/** An error as in Graph API answers and in failed statuses. */
export const metaErrors = {
  expired: { code: 190, title: 'Access token has expired', details: 'The access token is not the simulator’s.' },
  invalid: { code: 100, title: 'Invalid parameter', details: 'The body is not a text message.' },
  undeliverable: { code: 131026, title: 'Message undeliverable', details: 'The number has no WhatsApp.' },
  unavailable: { code: 131016, title: 'Service unavailable', details: 'Try again later.' },
  heldBack: {
    code: 131049,
    title: 'Held back',
    details: 'This message was not delivered to maintain healthy ecosystem engagement.',
  },
} as const;

export type MetaError = (typeof metaErrors)[keyof typeof metaErrors];

/** Meta has no status `rejected`: the error code of a failure shows it. */
const failures: Readonly<Partial<Record<TextNews['eventType'], MetaError>>> = {
  failed: metaErrors.undeliverable,
  rejected: metaErrors.heldBack,
};

/** A notification of one message's status, signed as Meta signs. */
export const statusNotification = ({ id, to, callbackData }: StoredText, { eventType }: TextNews, nowMs: number) => {
  const error = failures[eventType];
  const status = {
    id,
    status: error ? 'failed' : eventType,
    timestamp: String(Math.floor(nowMs / 1_000)),
    recipient_id: to.replace('+', ''),
    biz_opaque_callback_data: callbackData,
    ...(error && {
      errors: [{ code: error.code, title: error.title, message: error.title, error_data: { details: error.details } }],
    }),
  };
  return signed({ statuses: [status] });
};

/** A text message from a phone, signed as Meta signs. */
export const inboundNotification = ({ from, text }: { readonly from: string; readonly text: string }, nowMs: number) =>
  signed({
    messages: [
      {
        from: from.replace('+', ''),
        id: `wamid.${randomBytes(18).toString('base64url')}`,
        timestamp: String(Math.floor(nowMs / 1_000)),
        type: 'text',
        text: { body: text },
      },
    ],
  });

const signed = (value: object) => {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: meta.businessAccountId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: meta.displayPhoneNumber, phone_number_id: meta.phoneNumberId },
              ...value,
            },
          },
        ],
      },
    ],
  });
  const signature = createHmac('sha256', meta.appSecret).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` } };
};
