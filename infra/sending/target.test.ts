import { expect, it, vi } from 'vitest';
import { serveLocally } from '../local/emulators/local-server.ts';
import { closedAfterTest } from '../local/emulators-fixture.ts';
import { StartFailure } from '../local/start-failure.ts';
import { deployedTarget } from './target.ts';

it('a stage that AWS does not know is reported in a line', async () => {
  const refusal = '<Error><Message>Stack with id prod-work does not exist</Message></Error>';
  const { port } = closedAfterTest(await serveLocally({ 'POST /': () => ({ status: 400, body: refusal }) }, 0));
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
  await expect(deployedTarget('prod').functionName('messages-send-text')).rejects.toThrow(
    new StartFailure('AWS refuses to look: Stack with id prod-work does not exist'),
  );
});
