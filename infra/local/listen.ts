import { emitKeypressEvents } from 'node:readline';
import * as z from 'zod';
import { eventNames } from '../../shared/webhooks/events.ts';
import { runCommand } from './command.ts';
import type { RunningStack } from './running-stack.ts';
import { StartFailure } from './start-failure.ts';
import { answerIn, type Delivery, startReceiver } from './webhook-receiver.ts';

const help = `npm run listen -- [options]

Subscribes a receiver on this machine to the demo account's events, and shows each delivery with its verified signature.
The subscription is deleted when you press Ctrl-C. On a terminal, a key changes the answer: 2 (200), 5 (500), h (hang), r (redirect).

  --port 0                    The receiver's port; 0: any free one
  --events message.sent,…     Default: all messaging events
  --answer 200                A status, hang, or redirect
  --forward-to URL            Passes each delivery on, and answers as this URL does
`;

const created = z.object({ data: z.object({ webhook: z.object({ id: z.string() }), secret: z.string() }) });

const call = (stack: RunningStack, method: 'POST' | 'DELETE', path: string, body?: object): Promise<Response> =>
  fetch(`${stack.apiBaseUrl}/webhooks${path}`, {
    method,
    headers: { 'x-api-key': stack.keys.messaging, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const subscribe = async (stack: RunningStack, url: string, events: readonly string[]) => {
  const answer = await call(stack, 'POST', '', { name: 'npm run listen', url, events });
  if (!answer.ok) throw new StartFailure(`The API refused the subscription: ${await answer.text()}`);
  const { webhook, secret } = created.parse(await answer.json()).data;
  return { id: webhook.id, secret };
};

const keys: Readonly<Record<string, string>> = { '2': '200', '5': '500', h: 'hang', r: 'redirect' };

const lineOf = ({ at, event, sequence, isVerified, answered, body }: Delivery): string => {
  const verdict = isVerified === undefined ? 'no signature' : isVerified ? 'signature ok' : 'SIGNATURE WRONG';
  return `${new Date(at).toLocaleTimeString('en-GB')}  #${sequence}  ${event}  ${verdict}  answered ${answered}\n  ${body}`;
};

await runCommand({
  help,
  options: {
    port: { type: 'string', default: '0' },
    events: { type: 'string', default: eventNames.join(',') },
    answer: { type: 'string', default: '200' },
    'forward-to': { type: 'string' },
  },
  run: async ({ values, stack, nowMs, print }) => {
    const forwardTo = values['forward-to'];
    if (forwardTo !== undefined && !URL.canParse(forwardTo)) throw new StartFailure('--forward-to must be a URL.');
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new StartFailure('--port must be a number from 0 to 65535.');
    let answer = answerIn(values.answer);
    if (!answer) throw new StartFailure('--answer must be a status such as 200 or 500, hang, or redirect.');
    const running = stack();
    let secret = '';
    const receiver = await startReceiver({
      port,
      secret: () => secret,
      answer: () => answer ?? { status: 200 },
      forwardTo,
      nowMs,
      onDelivery: (delivery) => print(lineOf(delivery), { kind: 'delivery', ...delivery }),
    }).catch((thrown: unknown) => {
      throw new StartFailure(`The port ${port} cannot be used (${thrown}). Choose another: --port 0`);
    });
    const subscription = await subscribe(running, receiver.url, values.events.split(','));
    secret = subscription.secret;
    print(`Listening at ${receiver.url} for ${values.events}. Ctrl-C deletes the subscription.`, {
      kind: 'listening',
      url: receiver.url,
      ...subscription,
    });

    const stopped = Promise.withResolvers<void>();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve());
    if (process.stdin.isTTY) {
      emitKeypressEvents(process.stdin);
      process.stdin.setRawMode(true);
      process.stdin.on('keypress', (_, key: { readonly name?: string; readonly ctrl?: boolean }) => {
        if (key.ctrl && key.name === 'c') return stopped.resolve();
        const word = keys[key.name ?? ''];
        if (word === undefined) return;
        answer = answerIn(word);
        print(`Deliveries are now answered: ${word}`, { kind: 'answer', answer: word });
      });
    }
    await stopped.promise;
    await call(running, 'DELETE', `/${subscription.id}`).catch(() => undefined);
    receiver.close();
    return 0;
  },
});
