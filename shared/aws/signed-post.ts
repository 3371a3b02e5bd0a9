import type { IncomingHttpHeaders } from 'node:http';
import { InternalError } from '../kit/internal-error.ts';
import { setting } from '../kit/setting.ts';
import { assertInTime } from '../kit/time-limit.ts';
import { type AwsCaller, openSigner } from './signature.ts';

interface Address {
  readonly host: string;
  /** The SDK's own variable that overrides the service's address ends with it. */
  readonly variable: string;
}

/** The services, by the names that signatures have for them. */
const addresses = {
  dynamodb: { host: 'dynamodb', variable: 'DYNAMODB' },
  kms: { host: 'kms', variable: 'KMS' },
  logs: { host: 'logs', variable: 'CLOUDWATCH_LOGS' },
  scheduler: { host: 'scheduler', variable: 'SCHEDULER' },
  ses: { host: 'email', variable: 'SES' },
  'sms-voice': { host: 'sms-voice', variable: 'PINPOINT_SMS_VOICE_V2' },
  sqs: { host: 'sqs', variable: 'SQS' },
} as const satisfies Readonly<Record<string, Address>>;

export type ServiceName = keyof typeof addresses;

export interface AwsEndpoint extends AwsCaller {
  readonly url: string;
}

export interface PostOptions {
  /** An answer that takes longer is a `TimeoutError`. */
  readonly withinMs?: number;
  /**
   * False for calls that must not be repeated: each has a connection of its own, because a kept one that broke while the function was frozen would
   * leave the outcome unknown.
   */
  readonly isKept?: boolean;
}

interface Request {
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Posts to a service of AWS, once, without the SDK's clients, which take three and a half times the processor time of a call, and were half of what a function
 * loads. Rejects with the error of the connection, which says whether there was one; where the answer broke off, it has the answer's status in
 * `$metadata`, as errors of the SDK have.
 * @throws Unavailable before the call, when the time of the request is over
 */
export const openSignedPost = (
  service: ServiceName,
  { url, ...caller }: AwsEndpoint,
  { withinMs = 4_000, isKept = true }: PostOptions = {},
) => {
  const signer = openSigner(service, caller);
  const { protocol, hostname, port, host } = new URL(url);
  const isSecure = protocol === 'https:';
  // TLS takes a quarter of what a function takes to load, and the services of the local stack have none.
  const { Agent, request } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
  const agent = new Agent({ keepAlive: isKept, maxSockets: 50 });
  const connected = isSecure ? 'secureConnect' : 'connect';

  const post = ({ path, headers, body, signal }: Request) =>
    new Promise<Answer>((resolve, reject) => {
      let status = 0;
      let givenUp: Error | undefined;
      let isConnected = false;
      const sent = request({ hostname, port, agent, headers, method: 'POST', path }, (response) => {
        status = response.statusCode ?? 0;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('error', end);
        response.on('end', () => {
          end();
          resolve({ status, headers: response.headers, text: Buffer.concat(chunks).toString() });
        });
      });
      const giveUp = (error: Error): void => {
        givenUp = error;
        sent.destroy(error);
      };
      const abort = (): void => giveUp(timedOut(service));
      const timer = setTimeout(abort, withinMs);
      signal?.addEventListener('abort', abort);
      const end = (error?: Error): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        if (error) {
          const $metadata = { httpStatusCode: status };
          reject(Object.assign(givenUp ?? error, !givenUp && status > 0 && { $metadata }, { isConnected }));
        }
      };
      const connect = (): void => {
        isConnected = true;
      };
      // A call that waited for a kept connection gets one that has long been there, and Node does not call that a reused one.
      sent.on('socket', (socket) => (socket.connecting ? socket.once(connected, connect) : connect()));
      sent.on('error', end);
      if (signal?.aborted) abort();
      else sent.end(body);
    });

  return async ({ path = '/', headers: own, body, signal }: Request): Promise<Answer> => {
    const headers = await signer.sign({ method: 'POST', path, headers: { host, ...own }, body });
    assertInTime();
    return post({ path, headers, body, ...(signal && { signal }) });
  };
};

export type SignedPost = ReturnType<typeof openSignedPost>;

/** With the name by which `retried` knows it. */
const timedOut = (service: string): Error =>
  Object.assign(new InternalError('a service did not answer in time', { service }), { name: 'TimeoutError' });

/** The function that runs: Lambda gives credentials in environment variables. */
export const callerOfFunction = (): AwsCaller => ({
  region: setting('AWS_REGION'),
  credentials: {
    accessKeyId: setting('AWS_ACCESS_KEY_ID'),
    secretAccessKey: setting('AWS_SECRET_ACCESS_KEY'),
    ...(process.env['AWS_SESSION_TOKEN'] && { sessionToken: process.env['AWS_SESSION_TOKEN'] }),
  },
});

/** Where a service is. The SDK's own variables override it: the service's, or the one for all. */
export const urlIn = (region: string, service: ServiceName): string =>
  process.env[`AWS_ENDPOINT_URL_${addresses[service].variable}`] ??
  process.env['AWS_ENDPOINT_URL'] ??
  `https://${addresses[service].host}.${region}.amazonaws.com`;

/** A service, as the function that runs calls it. */
export const endpointForFunction = (service: ServiceName): AwsEndpoint => ({
  url: urlIn(setting('AWS_REGION'), service),
  ...callerOfFunction(),
});
