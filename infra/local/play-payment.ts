import * as z from 'zod';
import type { RunningStack } from './running-stack.ts';
import { StartFailure } from './start-failure.ts';

const found = z.object({ data: z.object({ gatewayCode: z.string() }) });

/**
 * Plays a gateway's notification of a test payment of the demo account. Notifications are not trusted: the service asks the gateway then.
 * @throws StartFailure for a payment that does not exist
 */
export const playPayment = async ({ checkoutBaseUrl, keys }: RunningStack, id: string): Promise<void> => {
  const answer = await fetch(`${checkoutBaseUrl}/v1/payments/${encodeURIComponent(id)}`, {
    headers: { authorization: `Bearer ${keys.checkoutSecretTest}` },
  });
  if (!answer.ok) throw new StartFailure(`The demo account has no test payment ${id}. npm run trigger -- --help`);
  const { gatewayCode } = found.parse(await answer.json()).data;
  const heard = await fetch(`${checkoutBaseUrl}/callbacks/payments/${gatewayCode}/${id}`, { method: 'POST' });
  if (heard.status !== 200) throw new StartFailure(`The notification was answered with ${heard.status}.`);
};
