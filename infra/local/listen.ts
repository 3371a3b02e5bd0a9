import { emitKeypressEvents } from 'node:readline';
import { commandOf, runCommand } from './command.ts';
import { type ListenedApi, listenedApis } from './listened-api.ts';
import type { RunningStack } from './running-stack.ts';
import { StartFailure } from './start-failure.ts';
import { answerIn, type Delivery, startReceiver } from './webhook-receiver.ts';

const help = `npm run listen -- [options]

Subscribes a receiver on this machine to the demo account's events, and shows each delivery with its verified signature.
The subscription is deleted when you press Ctrl-C. On a terminal, a key changes the answer: 2 (200), 5 (500), h (hang), r (redirect).

  --api messaging             Or checkout: the events of payments and refunds
  --port 0                    The receiver's port; 0: any free one
  --events message.sent,…     Default: all events of messaging, or those of payments and refunds
  --answer 200                A status, hang, or redirect
  --forward-to URL            Passes each delivery on, and answers as this URL does
`;

const apiNamed = (name: string): ListenedApi => {
  if (name !== 'messaging' && name !== 'checkout') throw new StartFailure('--api must be messaging or checkout.');
  return listenedApis[name];
};

/** The events that are asked for, separated by commas. The messaging API takes any names, the checkout only its own. */
const eventsIn = ({ usualEvents }: ListenedApi, asked: string | undefined): readonly string[] | undefined => {
  const wanted = asked?.split(',').map((event) => event.trim()) ?? usualEvents;
  if (usualEvents && wanted?.some((event) => !usualEvents.includes(event)))
    throw new StartFailure(`--events must be among ${usualEvents.join(', ')}.`);
  return wanted;
};

const subscribe = async (api: ListenedApi, stack: RunningStack, url: string, events?: readonly string[]) => {
  const { url: place, headers } = api.place(stack);
  const answer = await fetch(place, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'npm run listen', url, ...(events && { events }) }),
  });
  if (!answer.ok) throw new StartFailure(`The API refused the subscription: ${await answer.text()}`);
  const { id, secret } = api.created.parse(await answer.json());
  const end = () =>
    fetch(`${place}/${id}`, { method: 'DELETE', headers, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  return { id, secret, end };
};

const keys: Readonly<Record<string, string>> = { '2': '200', '5': '500', h: 'hang', r: 'redirect' };

const lineOf = ({ at, event, sequence, isVerified, answered, body }: Delivery): string => {
  const verdict = isVerified === undefined ? 'no signature' : isVerified ? 'signature ok' : 'SIGNATURE WRONG';
  return `${new Date(at).toLocaleTimeString('en-GB')}  #${sequence}  ${event}  ${verdict}  answered ${answered}\n  ${body}`;
};

export const listenCommand = commandOf({
  help,
  options: {
    api: { type: 'string', default: 'messaging' },
    port: { type: 'string', default: '0' },
    events: { type: 'string' },
    answer: { type: 'string', default: '200' },
    'forward-to': { type: 'string' },
  },
  run: async ({ values, positionals: [stray], stack, nowMs, print }) => {
    if (stray !== undefined) throw new StartFailure(`${stray} belongs to no option. --help shows all options.`);
    const forwardTo = values['forward-to'];
    // `localhost:4000/hooks` is a URL too, of the scheme `localhost`.
    if (forwardTo !== undefined && !(/^https?:/i.test(forwardTo) && URL.canParse(forwardTo)))
      throw new StartFailure('--forward-to must be an http or https URL, as in http://localhost:4000/hooks.');
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new StartFailure('--port must be a number from 0 to 65535.');
    const api = apiNamed(values.api);
    const events = eventsIn(api, values.events);
    let answer = answerIn(values.answer);
    if (!answer) throw new StartFailure('--answer must be a status such as 200 or 500, hang, or redirect.');
    const running = stack();
    let secret = '';
    const receiver = await startReceiver({
      api,
      port,
      secret: () => secret,
      answer: () => answer ?? { status: 200 },
      forwardTo,
      nowMs,
      onDelivery: (delivery) => print(lineOf(delivery), { kind: 'delivery', ...delivery }),
    }).catch((thrown: unknown) => {
      throw new StartFailure(`The port ${port} cannot be used (${thrown}). Choose another: --port 0`);
    });
    // Before there is a subscription, which must not outlive this process. `timeout` and npm can each send the same signal once more.
    const stopped = Promise.withResolvers<void>();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.resolve());
    // Nobody reads on.
    process.stdout.once('error', () => stopped.resolve());
    const subscription = await subscribe(api, running, receiver.url, events).catch(async (thrown: unknown) => {
      await receiver.close();
      throw thrown;
    });
    const { id, end } = subscription;
    secret = subscription.secret;
    print(`Listening at ${receiver.url} for events of ${values.api}. Ctrl-C deletes the subscription.`, {
      kind: 'listening',
      url: receiver.url,
      id,
      secret,
    });

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
    await end();
    await receiver.close();
    return 0;
  },
});

if (import.meta.main) await runCommand(listenCommand);
