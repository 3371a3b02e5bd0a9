import { expect, it, vi } from 'vitest';
import { calledCommand } from '../../test/called-command.ts';
import { serveLocally } from '../local/emulators/local-server.ts';
import { closedAfterTest } from '../local/emulators-fixture.ts';
import { sendingCommand } from './main.ts';

const json = (body: object, status = 200) => ({ status, body: JSON.stringify(body) });

/** A deployment whose emails cannot be paused, and of whose queues of texts the first is refused. */
const startAws = async () => {
  const states = new Map(['sms', 'whatsapp', 'scheduled'].map((queue) => [queue, 'Enabled']));
  const functions = ['messages-send-text', 'messages-send-scheduled', 'messages-send-message'];
  const members = functions.map(
    (name) =>
      `<member><ResourceType>AWS::Lambda::Function</ResourceType><LogicalResourceId>${name.replaceAll('-', '')}0123ABCD</LogicalResourceId><PhysicalResourceId>${name}</PhysicalResourceId></member>`,
  );
  const { port } = closedAfterTest(
    await serveLocally(
      {
        'POST /': () => ({ status: 200, body: members.join('') }),
        'GET /2015-03-31/functions/{name}/configuration': () =>
          json({ Environment: { Variables: { MAIL_CONFIGURATION_SET: 'mails' } } }),
        'GET /v2/email/configuration-sets/mails': () => json({ SendingOptions: { SendingEnabled: true } }),
        'PUT /v2/email/configuration-sets/mails/sending': () => ({ status: 403, body: 'not allowed' }),
        'GET /2015-03-31/event-source-mappings/': ({ query }) => {
          const isText = query.get('FunctionName') === 'messages-send-text';
          const mappings = [...states].filter(([queue]) => (queue === 'scheduled') !== isText);
          return json({ EventSourceMappings: mappings.map(([UUID, State]) => ({ UUID, State })) });
        },
        'PUT /2015-03-31/event-source-mappings/{queue}': (_, queue = '') => {
          if (queue === 'sms') return { status: 409, body: 'in use' };
          states.set(queue, 'Disabled');
          return json({});
        },
      },
      0,
    ),
  );
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
  return states;
};

it('a pause that one switch refuses turns all others, says which were refused, and ends with 1', async () => {
  const states = await startAws();
  const { status, stdout, stderr } = await calledCommand(sendingCommand, ['pause', '--stage', 'prod']);
  expect(Object.fromEntries(states)).toEqual({ sms: 'Enabled', whatsapp: 'Disabled', scheduled: 'Disabled' });
  expect([status, stdout]).toEqual([1, 'scheduled messages are paused now\n']);
  expect(stderr).toBe(
    [
      'emails: ses refuses /v2/email/configuration-sets/mails/sending: not allowed\n',
      'texts: lambda refuses /2015-03-31/event-source-mappings/sms: in use\n',
    ].join(''),
  );
});
