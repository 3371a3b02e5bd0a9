import { expect, it } from 'vitest';
import { startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { callsAt, eventually } from './deploy/calls.ts';

it('a poll waits while the API answers with a failure, and says at its end what was answered last', async () => {
  const failures = 1;
  const api = await startReceiver((response) => {
    const isFailure = api.received.length <= failures;
    response.writeHead(isFailure ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isFailure ? { message: 'Service Unavailable' } : { data: { status: 'sent' } }));
  });
  try {
    const url = `http://127.0.0.1:${api.port}`;
    const { made } = callsAt(url, { url }, 'token');
    const status = async () => (await made('GET', '/messages/1', {})).status;
    await expect(eventually('the mail', 0, status)).rejects.toThrow(
      'the mail: not within 0 s; GET /messages/1: 503 {"message":"Service Unavailable"}',
    );
    api.received.length = 0;
    expect(await eventually('the mail', 60, status)).toBe('sent');
  } finally {
    await api.close();
  }
});
