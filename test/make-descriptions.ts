import { createServer } from 'node:http';
import { describeRoutes } from '../infra/describe.ts';
import { listenLocally } from '../infra/local/listen-locally.ts';

/** Makes what `described.ts` offers, once for all processes of a run, when the first one asks for it. */
export const setup = async (): Promise<() => Promise<void>> => {
  let made: Promise<string> | undefined;
  const server = createServer(async (_, response) => {
    made ??= describeRoutes().then(JSON.stringify);
    const [answer] = await Promise.allSettled([made]);
    if (answer.status === 'fulfilled') response.end(answer.value);
    else response.writeHead(500).end(String(answer.reason));
  });
  const { url, close } = await listenLocally(server);
  process.env['DESCRIPTIONS_URL'] = url;
  return close;
};
