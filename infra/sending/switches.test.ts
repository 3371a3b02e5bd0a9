import { expect, it } from 'vitest';
import type { CallAws } from '../aws-calls.ts';
import { switchesOf } from './switches.ts';

it('a pause while Lambda is still enabling a queue waits until Lambda takes the change', async () => {
  const queue = { UUID: 'sms', State: 'Enabling' };
  let looks = 0;
  const lambda: CallAws = async ({ body }) => {
    if (body === undefined) {
      const answer = Response.json({ EventSourceMappings: [queue] });
      looks += 1;
      // Lambda goes on meanwhile.
      if (looks % 2 === 0) queue.State = queue.State.replace(/ing$/, 'ed');
      return answer;
    }
    if (queue.State.endsWith('ing')) return Response.json({ Type: 'ResourceInUseException' }, { status: 400 });
    queue.State = JSON.parse(body).Enabled ? 'Enabling' : 'Disabling';
    return Response.json(queue);
  };
  const [, texts] = switchesOf({ call: lambda, functionName: async (name) => name });
  await texts?.turn(false);
  expect(queue.State).toBe('Disabled');
});

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
