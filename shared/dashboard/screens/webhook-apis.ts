import type { CheckoutWebhook } from '../../client/admin.ts';
import { adminApi, messagingApi } from '../apis.ts';
import { chosenIn, FieldError, someTextIn, textIn } from '../parts/form-values.ts';

/** Whose webhooks: both APIs have them, and the same screens show them. */
export type WebhookApi = 'messaging' | 'checkout';

/** A webhook of either API. */
export type Webhook = CheckoutWebhook;

export const messageEvents = ['message.sent', 'message.delivered', 'message.failed', 'message.bounced'] as const;
const checkoutEvents = [
  'payment.succeeded',
  'payment.failed',
  'refund.succeeded',
  'refund.failed',
  'checkout_session.expired',
] as const;

interface WebhookCalls {
  readonly folder: 'webhooks' | 'checkout-webhooks';
  readonly title: string;
  readonly intro: string;
  readonly events: readonly string[];
  /** Whether a webhook can be changed, paused, tested and replayed, and not only deleted. */
  readonly isChangeable: boolean;
  /** Returns the secret. */
  readonly create: (account: string, values: FormData) => Promise<string>;
  readonly remove: (account: string, webhookId: string) => Promise<unknown>;
}

/** Nothing is delivered without events, and who wants that pauses the webhook. */
const someOf = <T extends string>(events: readonly T[]): T[] => {
  if (events.length === 0) throw new FieldError('events', 'choose at least one');
  return [...events];
};

/** What a form says of a messaging webhook. */
const fieldsIn = (values: FormData) => ({
  name: textIn(values, 'name'),
  url: textIn(values, 'url'),
  events: chosenIn(values, 'events', messageEvents),
});

/** What was changed of it. The rest stays as it is, also where a program has changed it since, and events that have no check here. */
export const changesIn = (values: FormData, { name, url, events }: Webhook) => {
  const typed = fieldsIn(values);
  const isChecked = (event: string) => typed.events.some((one) => one === event);
  const others = events.filter((event) => !messageEvents.some((known) => known === event));
  const isChanged = messageEvents.some((event) => isChecked(event) !== events.includes(event));
  return {
    ...(typed.name !== name.trim() && { name: typed.name }),
    ...(typed.url !== url && { url: typed.url }),
    ...(isChanged && { events: someOf([...typed.events, ...others]) }),
  };
};

export const webhookApis: Readonly<Record<WebhookApi, WebhookCalls>> = {
  messaging: {
    folder: 'webhooks',
    title: 'Webhooks',
    intro: 'Your servers learn here what has happened to a message.',
    events: messageEvents,
    isChangeable: true,
    create: async (account, values) => {
      const fields = fieldsIn(values);
      const body = { ...fields, events: someOf(fields.events) };
      return (await messagingApi(account).call('POST /webhooks', { body })).data.secret;
    },
    remove: (account, id) => messagingApi(account).call('DELETE /webhooks/{id}', { path: { id } }),
  },
  checkout: {
    folder: 'checkout-webhooks',
    title: 'Checkout webhooks',
    intro: 'Your servers learn here of payments and refunds, test and live.',
    events: checkoutEvents,
    isChangeable: false,
    create: async (account, values) => {
      const name = someTextIn(values, 'name');
      const fields = { url: textIn(values, 'url'), events: chosenIn(values, 'events', checkoutEvents) };
      const { data } = await adminApi.call('POST /accounts/{id}/checkout-webhooks', {
        path: { id: account },
        body: { ...fields, ...(name && { name }) },
      });
      return data.secret;
    },
    remove: (account, webhookId) =>
      adminApi.call('DELETE /accounts/{id}/checkout-webhooks/{webhookId}', { path: { id: account, webhookId } }),
  },
};

/** All webhooks of an account, for people who may only look, too. */
export const readWebhooks = async (api: WebhookApi, account: string): Promise<readonly Webhook[]> =>
  (await adminApi.call(`GET /accounts/{id}/${webhookApis[api].folder}`, { path: { id: account } })).data;
