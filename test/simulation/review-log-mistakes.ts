import type { Mistake } from './mistake.ts';

/** Mistakes with what operators do that the simulation must find. */
export const reviewLogMistakes: readonly Mistake[] = [
  {
    name: 'a change of a payment is in no account’s audit log',
    file: 'shared/http/people-surface.ts',
    find: 'caller.isOperator && isRead(event) ? undefined',
    replace: 'caller.isOperator ? undefined',
    breaks: [
      'what an operator settles or deletes is in the audit log of its account, once each time',
      'a change by a person or a token is in the audit log, once, with what came of it',
    ],
  },
  {
    name: 'the deliveries of a deleted checkout subscription stay',
    file: 'functions/admin/delete-checkout-webhook/handler.ts',
    find: 'await deleteSubscription({ webhooks, deletedWebhooksQueue }, account, webhook.id);',
    replace: 'await webhooks.remove(account, webhook.id);\n    void deletedWebhooksQueue;',
    breaks: ['a checkout subscription that is deleted is not called, and nothing of it is left'],
  },
  {
    name: 'a refund is made again where its name is not known',
    file: 'shared/providers/gateways/sslcommerz.ts',
    find: "if (!reference) return unknownAnswer('no_reference');",
    replace: "if (!reference) return { ...unknownAnswer('no_reference'), mayRetry: true };",
    breaks: ['money goes back as often as refunds succeed', 'no more money goes back than came in'],
  },
];
