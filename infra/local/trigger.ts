import * as z from 'zod';
import { commandOf, runCommand } from './command.ts';
import { textPlays } from './emulators/phones-plays.ts';
import { mailPlays } from './emulators/ses-plays.ts';
import type { Inbound } from './inbound.ts';
import { playPayment } from './play-payment.ts';
import type { RunningStack } from './running-stack.ts';
import { StartFailure } from './start-failure.ts';

const help = `npm run trigger -- <what> <message id>
npm run trigger -- inbound <phone> <text> [--channel sms|whatsapp]
npm run trigger -- payment <payment id>

Plays a provider's notification on the running stack, by the route that the provider uses.

  An email            ${mailPlays.join(', ')}
  An sms or whatsapp  ${textPlays.join(', ')}
  payment             The gateway's notification of a test payment of the demo account: the service then asks it for the result
  inbound             A text from a phone to the demo account: STOP, START, or any other

`;

const channels = ['sms', 'whatsapp'] as const;

const inbound = (phone: string, text: string, channel: string): Inbound => {
  const known = channels.find((one) => one === channel);
  if (!known) throw new StartFailure('--channel must be sms or whatsapp.');
  if (!/^\+\d{7,15}$/.test(phone)) throw new StartFailure('The phone must be as in +8801700000000.');
  return { channel: known, from: phone, text };
};

const found = z.object({ data: z.object({ status: z.string() }) });

/** Of a message of the demo account. A notification that came too late has changed nothing. */
const statusOf = async ({ apiBaseUrl, keys }: RunningStack, id: string): Promise<string | undefined> => {
  const answer = await fetch(`${apiBaseUrl}/messages/${encodeURIComponent(id)}`, {
    headers: { 'x-api-key': keys.messaging },
  });
  return answer.ok ? found.parse(await answer.json()).data.status : undefined;
};

export const triggerCommand = commandOf({
  help,
  options: { channel: { type: 'string', default: 'sms' } },
  run: async ({ values, positionals, stack, print }) => {
    const [what, id, ...words] = positionals;
    if (what === undefined || id === undefined)
      throw new StartFailure(
        'Say what to play, and for which message or payment: npm run trigger -- bounce <message id>',
      );
    if (what === 'inbound') {
      const text = inbound(id, words.join(' '), values.channel);
      const { inboxUrl, accountId } = stack();
      const answer = await fetch(`${inboxUrl}/phones/${text.from}/replies`, {
        method: 'POST',
        body: new URLSearchParams({ channel: text.channel, text: text.text, account: accountId }),
        redirect: 'manual',
      });
      if (answer.status !== 303) throw new StartFailure(await answer.text());
      print(`${text.channel} from ${text.from}: ${text.text}`, text);
      return 0;
    }
    if (words.length > 0)
      throw new StartFailure(`Play one thing at a time: ${words.join(' ')} is more than one message or payment.`);
    if (what === 'payment') {
      await playPayment(stack(), id);
      print(`Notified of the payment ${id}: the service asks its gateway now.`, { what, id });
      return 0;
    }
    const answer = await fetch(`${stack().inboxUrl}/plays`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ what, id }),
    });
    if (!answer.ok) throw new StartFailure(await answer.text());
    const status = await statusOf(stack(), id);
    print(`Played ${what} for ${id}.${status === undefined ? '' : ` Its status is ${status}.`}`, { what, id, status });
    return 0;
  },
});

if (import.meta.main) await runCommand(triggerCommand);
