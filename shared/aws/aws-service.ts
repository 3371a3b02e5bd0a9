import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';
import { InternalError } from '../kit/internal-error.ts';
import { setting } from '../kit/setting.ts';

interface Kind {
  readonly name: string;
  readonly contentType: string;
  /** The SDK's own variable that overrides the service's address ends with it. */
  readonly variable: string;
}

/** The services that take and give JSON, by the names that signatures and addresses have for them. */
const kinds = {
  dynamodb: { name: 'DynamoDB', contentType: 'application/x-amz-json-1.0', variable: 'DYNAMODB' },
  kms: { name: 'KMS', contentType: 'application/x-amz-json-1.1', variable: 'KMS' },
  logs: { name: 'CloudWatch Logs', contentType: 'application/x-amz-json-1.1', variable: 'CLOUDWATCH_LOGS' },
  scheduler: { name: 'EventBridge Scheduler', contentType: 'application/json', variable: 'SCHEDULER' },
  sqs: { name: 'SQS', contentType: 'application/x-amz-json-1.0', variable: 'SQS' },
} as const satisfies Readonly<Record<string, Kind>>;

export type ServiceName = keyof typeof kinds;

/** In whose name services are called, and in which region. */
export type AwsCaller = Pick<ConstructorParameters<typeof SignatureV4>[0], 'credentials' | 'region'>;

export interface AwsPlace extends AwsCaller {
  readonly url: string;
}

export interface AwsCall {
  /** The operation, of services that have one address: `TrentService.Decrypt`. */
  readonly target?: string;
  /** The resource, of services that have one for each. */
  readonly path?: string;
  readonly input: object;
}

export interface AwsService {
  /**
   * Makes a call once. Returns the answer as it is.
   * @throws AwsError when the service refuses it, or the error of the connection; `TimeoutError` when the answer takes too long
   */
  send(call: AwsCall): Promise<object>;
}

const refusal = z
  .object({ __type: z.string().optional(), message: z.string().optional(), Message: z.string().optional() })
  .catch({});

/** Why a service did not do what it was asked, with the name that AWS gives it. `retried` knows what to repeat by it. */
export class AwsError extends Error {
  readonly $metadata: { readonly httpStatusCode: number; readonly requestId: string | undefined };

  constructor({ status, requestId, errorType, body }: Refused) {
    const { __type, message, Message } = refusal.parse(body);
    super(message ?? Message ?? `the service answered ${status}`);
    const [type = 'InternalServerError'] = (errorType ?? __type ?? 'InternalServerError').split(':');
    this.name = type.slice(type.indexOf('#') + 1);
    this.$metadata = { httpStatusCode: status, requestId };
  }
}

/** An answer that is no success. */
export interface Refused {
  readonly status: number;
  readonly requestId?: string | undefined;
  /** A header of services that do not say it in the body. */
  readonly errorType?: string | undefined;
  readonly body: unknown;
}

/** Connections are kept between calls. One that broke meanwhile is an error that is repeated on another. */
const agents = { keepAlive: true, maxSockets: 50 } as const;

interface Options {
  readonly withinMs?: number;
  readonly errorOf?: (refused: Refused) => AwsError;
}

/**
 * A service over HTTP. Calls are signed by the SDK's signer and made without its client, which takes two and a half times the processor time of a call, and
 * is half of what a function loads.
 */
export const openAwsService = (
  service: ServiceName,
  { url, ...caller }: AwsPlace,
  { withinMs = 4_000, errorOf = (refused) => new AwsError(refused) }: Options = {},
): AwsService => {
  const { name, contentType } = kinds[service];
  const signer = new SignatureV4({ service, sha256: Sha256, ...caller });
  const { protocol, hostname, port, host } = new URL(url);
  const agent = protocol === 'https:' ? new https.Agent(agents) : new http.Agent(agents);
  const { request } = protocol === 'https:' ? https : http;

  const post = (path: string, headers: Readonly<Record<string, string>>, body: string) =>
    new Promise<{ readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly text: string }>(
      (resolve, reject) => {
        const sent = request({ hostname, port, agent, headers, method: 'POST', path }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => void chunks.push(chunk));
          response.on('error', fail);
          response.on('end', () => {
            clearTimeout(timer);
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
            });
          });
        });
        const fail = (error: Error): void => {
          clearTimeout(timer);
          reject(error);
        };
        const timer = setTimeout(() => sent.destroy(timedOut(name)), withinMs);
        sent.on('error', fail);
        sent.end(body);
      },
    );

  return {
    send: async ({ target, path = '/', input }) => {
      const body = JSON.stringify(input);
      const { headers } = await signer.sign({
        method: 'POST',
        protocol,
        hostname,
        ...(port && { port: Number(port) }),
        path,
        query: {},
        headers: { host, 'content-type': contentType, ...(target && { 'x-amz-target': target }) },
        body,
      });
      const answer = await post(path, headers, body);
      const given = parsed(answer.text);
      if (answer.status === 200 && typeof given === 'object' && given !== null) return given;
      const [requestId, errorType] = ['x-amzn-requestid', 'x-amzn-errortype'].map((header) =>
        answer.headers[header]?.toString(),
      );
      throw errorOf({ status: answer.status, requestId, errorType, body: given });
    },
  };
};

/** With the name by which `retried` knows it. */
const timedOut = (name: string): Error =>
  Object.assign(new InternalError('a service did not answer in time', { service: name }), { name: 'TimeoutError' });

/** What is not JSON comes from something between. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What the signer computes with. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/** The function that runs: Lambda gives credentials in environment variables. */
export const callerOfFunction = (): AwsCaller => ({
  region: setting('AWS_REGION'),
  credentials: {
    accessKeyId: setting('AWS_ACCESS_KEY_ID'),
    secretAccessKey: setting('AWS_SECRET_ACCESS_KEY'),
    ...(process.env['AWS_SESSION_TOKEN'] && { sessionToken: process.env['AWS_SESSION_TOKEN'] }),
  },
});

/** Where the function that runs finds a service. */
export const urlForFunction = (service: ServiceName): string =>
  process.env[`AWS_ENDPOINT_URL_${kinds[service].variable}`] ??
  `https://${service}.${setting('AWS_REGION')}.amazonaws.com`;

/** A service, as the function that runs calls it. */
export const placeForFunction = (service: ServiceName): AwsPlace => ({
  url: urlForFunction(service),
  ...callerOfFunction(),
});
