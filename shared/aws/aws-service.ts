import * as z from 'zod';
import { jsonIn } from '../kit/json-in.ts';
import { type AwsEndpoint, openSignedPost, type PostOptions, type SignedPost } from './signed-post.ts';

/** The services that take and give JSON. */
const contentTypes = {
  dynamodb: 'application/x-amz-json-1.0',
  kms: 'application/x-amz-json-1.1',
  logs: 'application/x-amz-json-1.1',
  scheduler: 'application/json',
  'sms-voice': 'application/x-amz-json-1.0',
  sqs: 'application/x-amz-json-1.0',
} as const;

export interface AwsCall {
  /** The operation, of services that have one address: `TrentService.Decrypt`. */
  readonly target?: string;
  /** The resource, of services that have one for each. */
  readonly path?: string;
  readonly input: object;
  /** Gives the call up. */
  readonly signal?: AbortSignal;
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
  readonly body: unknown;

  constructor({ status, requestId, errorType, body }: Refused) {
    const { __type, message, Message } = refusal.parse(body);
    super(message ?? Message ?? `the service answered ${status}`);
    const [type = 'InternalServerError'] = (errorType ?? __type ?? 'InternalServerError').split(':');
    this.name = type.slice(type.indexOf('#') + 1);
    this.$metadata = { httpStatusCode: status, requestId };
    this.body = body;
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

interface Options extends PostOptions {
  readonly errorOf?: (refused: Refused) => AwsError;
  /** Posts in place of what `openSignedPost` opens. */
  readonly post?: SignedPost | undefined;
}

/** A service that takes and gives JSON. */
export const openAwsService = (
  service: keyof typeof contentTypes,
  endpoint: AwsEndpoint,
  { errorOf = (refused) => new AwsError(refused), ...options }: Options = {},
): AwsService => {
  const post = options.post ?? openSignedPost(service, endpoint, options);
  const contentType = contentTypes[service];
  return {
    send: async ({ target, path = '/', input, signal }) => {
      const headers = { 'content-type': contentType, ...(target && { 'x-amz-target': target }) };
      const answer = await post({ path, headers, body: JSON.stringify(input), ...(signal && { signal }) });
      // What is not JSON comes from something between.
      const body = jsonIn(answer.text);
      if (answer.status === 200 && typeof body === 'object' && body !== null) return body;
      const [requestId, errorType] = ['x-amzn-requestid', 'x-amzn-errortype'].map((header) =>
        answer.headers[header]?.toString(),
      );
      throw errorOf({ status: answer.status, requestId, errorType, body });
    },
  };
};
