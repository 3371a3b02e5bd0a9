import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';
import { InternalError } from '../kit/internal-error.ts';
import { retried } from './aws-retry.ts';

const callWithinMs = 8_000;

type SignerSettings = ConstructorParameters<typeof SignatureV4>[0];

interface LogGroup extends Pick<SignerSettings, 'credentials' | 'region' | 'sha256'> {
  /** The address of CloudWatch Logs. */
  readonly url: string;
  readonly name: string;
}

export interface LogSearch {
  /** A filter pattern of CloudWatch Logs. */
  readonly pattern: string;
  /** Both inclusive, in milliseconds since 1970. */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly nextToken?: string | undefined;
}

const answer = z.object({
  events: z.array(z.object({ timestamp: z.number(), message: z.string() })).default([]),
  nextToken: z.string().optional(),
});

/** One page of lines. With a `nextToken` there may be more, even after an empty page. */
export type LogPage = z.output<typeof answer>;

const refusal = z.object({ __type: z.string().transform((type) => type.replace(/^.*#/, '')) }).catch({ __type: '' });

/** In the form of the SDK's errors, by which `retried` knows what to repeat. */
const failure = (status: number, code: string) =>
  Object.assign(new InternalError('CloudWatch Logs refused a call', { status, code }), {
    ...(code && { name: code }),
    $metadata: { httpStatusCode: status },
  });

/** Searches one log group by `FilterLogEvents`. The call is signed by the SDK's signer, without a client of its own. */
export const openLogSearch = ({ url, name, ...settings }: LogGroup) => {
  const signer = new SignatureV4({ service: 'logs', ...settings });
  const { protocol, hostname, port } = new URL(url);

  return (search: LogSearch): Promise<LogPage> =>
    retried(async () => {
      const body = JSON.stringify({
        logGroupName: name,
        filterPattern: search.pattern,
        startTime: search.sinceMs,
        endTime: search.untilMs,
        limit: 1_000,
        nextToken: search.nextToken,
      });
      const { headers } = await signer.sign({
        method: 'POST',
        protocol,
        hostname,
        ...(port && { port: Number(port) }),
        path: '/',
        headers: {
          host: port ? `${hostname}:${port}` : hostname,
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': 'Logs_20140328.FilterLogEvents',
        },
        body,
      });
      const { host: _, ...sent } = headers;
      const response = await fetch(url, {
        method: 'POST',
        headers: sent,
        body,
        signal: AbortSignal.timeout(callWithinMs),
      }).catch((thrown: unknown) => {
        throw Object.assign(new InternalError('CloudWatch Logs could not be reached', {}, { cause: thrown }), {
          code: 'ECONNRESET',
        });
      });
      const text = await response.text();
      if (!response.ok) throw failure(response.status, refusal.parse(parsed(text)).__type);
      return answer.parse(parsed(text));
    });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export type SearchLog = ReturnType<typeof openLogSearch>;
