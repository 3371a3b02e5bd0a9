import { expect, it } from 'vitest';
import type { CallAws } from '../aws-calls.ts';
import { switchesOf } from './switches.ts';

it('a resume that was cut off between the queues of texts is finished by the next one', async () => {
  const queues = [
    { UUID: 'sms', State: 'Enabled' },
    { UUID: 'whatsapp', State: 'Disabled' },
  ];
  const call: CallAws = async ({ path = '', body }) => {
    const queue = queues.find(({ UUID }) => path.endsWith(`/${UUID}`));
    if (queue) queue.State = JSON.parse(body ?? '').Enabled ? 'Enabled' : 'Disabled';
    return Response.json({ EventSourceMappings: queues });
  };
  const [, texts] = switchesOf({ call, functionName: async (name) => name });
  expect([await texts?.isAt(true), await texts?.isAt(false)]).toEqual([false, false]);
  await texts?.turn(true);
  expect(queues.map(({ State }) => State)).toEqual(['Enabled', 'Enabled']);
  expect([await texts?.isAt(true), await texts?.isAt(false)]).toEqual([true, false]);
});
