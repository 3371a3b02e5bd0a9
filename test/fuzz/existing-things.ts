import type { Answered } from '../call.ts';
import type { Merchant } from '../checkout-merchant.ts';

// What requests with an id are about: things that valid requests made before.

type Call = (method: string, path: string, body?: unknown) => Promise<Pick<Answered, 'status' | 'body'>>;

interface ExistingNeeds {
  readonly call: Call;
  /** Of the account that `call` is made for. */
  readonly merchant: Merchant;
  /** The description's example of a body that is sent there. */
  readonly exampleAt: (path: string) => unknown;
}

/** By the path of the list that a thing is in, where sending the description's example there does not make it. */
const makersWith = (
  { call, merchant, exampleAt }: ExistingNeeds,
  idFrom: (...call: Parameters<Call>) => Promise<string>,
) => {
  let emails = 0;
  const newEmail = (): string => {
    emails += 1;
    return `existing-${emails}@example.com`;
  };
  const payment = async () => (await merchant.paid(600_000)).paymentId;
  const refund = (paymentId: string) => idFrom('POST', `/v1/payments/${paymentId}/refunds`, { amountMinor: 100 });
  const session = () => merchant.newSession(600_000);
  const contact = () => idFrom('POST', '/api/v1/contacts', { email: newEmail(), firstName: 'Ada' });
  const ownKey = (kind: string) =>
    idFrom('POST', `/admin/v1/accounts/${merchant.id}/${kind}`, exampleAt(`/admin/v1/accounts/{id}/${kind}`));

  const makers: Readonly<Record<string, (path: string) => Promise<string>>> = {
    '/api/v1/messages': (path) => {
      const sendAt = new Date(Date.now() + 86_400_000);
      return idFrom('POST', path, {
        channel: 'email',
        to: 'ada@example.com',
        subject: 'Hello',
        text: 'It works.',
        sendAt,
      });
    },
    '/api/v1/messages/exports': () => idFrom('GET', '/api/v1/messages/export'),
    '/api/v1/contacts': contact,
    '/api/v1/contacts/exports': () => idFrom('GET', '/api/v1/contacts/export'),
    '/api/v1/contacts/imports': () => idFrom('POST', '/api/v1/contacts/import', {}),
    '/api/v1/suppressions': async () => 'email',
    '/api/v1/suppressions/{channel}': async () => {
      const address = newEmail();
      await call('POST', '/api/v1/suppressions', { channel: 'email', address });
      return address;
    },
    '/v1/checkout-sessions': session,
    '/v1/public/checkout-sessions': session,
    '/v1/payments': payment,
    '/v1/refunds': async () => refund(await payment()),
    '/admin/v1/accounts/{id}/members': (path) => idFrom('POST', path, { email: newEmail(), role: 'viewer' }),
    '/admin/v1/accounts/{id}/webhooks': () => idFrom('POST', '/api/v1/webhooks', exampleAt('/api/v1/webhooks')),
    '/admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries': async (path) => {
      await call('POST', `/api/v1/webhooks/${path.split('/').at(-2)}/test`);
      return idFrom('GET', path);
    },
    '/admin/v1/accounts/{id}/checkout-webhooks/{webhookId}/deliveries': async () => unknownId,
    '/admin/v1/sessions': async () => unknownId,
    '/admin/v1/operators': (path) => idFrom('POST', path, { email: newEmail() }),
    '/admin/v1/payments': payment,
    '/admin/v1/payments/{paymentId}/refunds': async (path) => {
      await call('POST', path, { amountMinor: 100 });
      return idFrom('GET', path);
    },
    '/admin/v1/contacts': contact,
    '/admin/v1/contacts/{id}/consents': async () => 'sms',
    '/admin/v1/api-keys': () => ownKey('api-keys'),
    '/admin/v1/checkout-keys': () => ownKey('checkout-keys'),
  };
  return makers;
};

/** What an answer is about. The answer that creates a webhook has its secret beside it. */
export const thingOf = (answer: Answered['body']): Answered['body'] => answer?.data?.webhook ?? answer?.data;

/** Nothing has it. */
const unknownId = '019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a55';

/** Of the tested account itself: what is about webhooks and payments. The rest is tried on other accounts, which may end frozen. */
const isOwn = /^\/admin\/v1\/accounts\/\{id\}\/(webhooks|payments|requests)/;

export const openExisting = (needs: ExistingNeeds) => {
  const idFrom = async (...[method, path, body]: Parameters<Call>): Promise<string> => {
    const { status, body: answer } = await needs.call(method, path, body);
    const id: unknown = [thingOf(answer)].flat()[0]?.id;
    if (typeof id !== 'string') throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return id;
  };
  const makers = makersWith(needs, idFrom);
  const made = new Map<string, Promise<string>>();

  const thingIn = (list: string, path: string, isFresh: boolean): Promise<string> => {
    const newThing = () => makers[list]?.(path) ?? idFrom('POST', path, needs.exampleAt(list));
    if (isFresh) return newThing();
    const thing = made.get(path) ?? newThing();
    made.set(path, thing);
    return thing;
  };

  return {
    /**
     * The template's path with `hostile` values and, elsewhere, ids of things that exist. `isFresh`: the last thing is made for this call, which
     * may end it.
     */
    pathOf: async (
      template: string,
      hostile: Readonly<Record<string, string | undefined>>,
      isFresh: boolean,
    ): Promise<string> => {
      const segments = template.split('/').slice(1);
      const last = segments.findLastIndex((segment) => segment.startsWith('{'));
      let [list, path, isKnown] = ['', '', true];
      for (const [n, segment] of segments.entries()) {
        path += `/${await filled(segment, n === last)}`;
        list += `/${segment}`;
      }
      return path;

      async function filled(segment: string, isLast: boolean): Promise<string> {
        const name = /^\{(\w+)\}$/.exec(segment)?.[1];
        if (name === undefined) return segment;
        const value = hostile[name];
        if (value !== undefined) isKnown = false;
        if (!isKnown) return value ?? '-';
        if (list === '/admin/v1/accounts' && isOwn.test(template)) return needs.merchant.id;
        return thingIn(list, path, isFresh && isLast);
      }
    },
  };
};
