import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Emulator } from './emulator.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all endpoints; the smoke reads single fields of them.
  readonly body: any;
}

type Headers = Readonly<Record<string, string>>;

/** Calls the API at its own host name, which every address of the emulator serves; not every system resolves names of `localhost`. */
export const callsAt = (apiUrl: string, { url }: Pick<Emulator, 'url'>, operatorToken: string) => {
  const { host } = new URL(apiUrl);
  const send = (method: string, path: string, headers: Headers, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const sent = request({ hostname, port, method, path, headers: { ...headers, host } }, async (response) => {
        const answer = await text(response);
        const isJson = response.headers['content-type']?.includes('json');
        const body = isJson && answer !== '' ? JSON.parse(answer) : answer;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
      sent.on('error', reject).end(body);
    });

  const json = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body));
  const typed = { 'content-type': 'application/json' };

  const call = (method: string, path: string, headers: Headers, body?: unknown): Promise<Answer> =>
    send(method, path, { ...typed, ...headers }, json(body));
  const successful = (what: string, { status, body }: Answer): Answer['body'] => {
    assert.ok(status < 300, `${what}: ${status} ${JSON.stringify(body)}`);
    return body?.data;
  };

  return {
    call,
    /** @throws AssertionError when it is not answered with success */
    made: async (...[method, path, ...more]: Parameters<typeof call>): Promise<Answer['body']> =>
      successful(`${method} ${path}`, await call(method, path, ...more)),
    /** @throws AssertionError when it is not answered with success */
    asOperator: async (method: string, path: string, body?: unknown): Promise<Answer['body']> => {
      const place = `/admin/v1${path}`;
      const authorization = `Bearer ${operatorToken}`;
      return successful(`${method} ${place}`, await call(method, place, { authorization }, body));
    },
  };
};

export type Calls = ReturnType<typeof callsAt>;

/** Asks again until that succeeds, for at most this long. The error at the end says why the last one did not. */
export const eventually = async <T>(what: string, seconds: number, ask: () => Promise<T>): Promise<T> => {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    try {
      return await ask();
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      if (Date.now() >= end) throw new Error(`${what}: not within ${seconds} s; ${reason}`, { cause: thrown });
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};
