import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { randomFrom } from '../infra/local/emulators/seeded-random.ts';
import { listenLocally } from '../infra/local/listen-locally.ts';

/**
 * The probability of each fault per call, from 0 to 1. A sum above 1 is cut off, in this order.
 * `lost`: a write is executed, and the connection closes instead of an answer. `cut`: the connection closes before the call.
 * `conflict`: a write conflicts with a running transaction. `throttled`: too many calls. `late`: the answer is delayed by `lateMs`.
 */
export interface FaultRates {
  readonly lost?: number;
  readonly cut?: number;
  readonly conflict?: number;
  readonly throttled?: number;
  readonly late?: number;
  readonly lateMs?: number;
}

type Fault = Exclude<keyof FaultRates, 'lateMs'>;

const faults: readonly Fault[] = ['lost', 'cut', 'conflict', 'throttled', 'late'];

/** The faults of writes only. */
const ofWrites: ReadonlySet<Fault> = new Set(['lost', 'conflict']);

const writes: ReadonlySet<string> = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

type Refused = 'conflict' | 'throttled';

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The refusals of a single call. */
const refusals: Readonly<Record<Refused, readonly [Refusal, ...Refusal[]]>> = {
  conflict: [{ status: 400, type: 'TransactionConflictException' }],
  throttled: [
    { status: 400, type: 'ProvisionedThroughputExceededException' },
    { status: 400, type: 'ThrottlingException' },
    { status: 400, type: 'RequestLimitExceeded' },
    { status: 500, type: 'InternalServerError' },
  ],
};

/** The cancellation reasons of one write in a transaction. */
const reasons: Readonly<Record<Refused, readonly [string, ...string[]]>> = {
  conflict: ['TransactionConflict'],
  throttled: ['ThrottlingError', 'ProvisionedThroughputExceeded'],
};

export interface DynamodbFaultsOptions {
  /** The DynamoDB to forward to. */
  readonly url: string;
  readonly seed?: number;
  readonly rates?: FaultRates;
}

/**
 * A proxy in front of a DynamoDB emulator that injects the faults of a distributed service. The seed and the order of calls decide
 * which call meets which fault.
 */
export const startDynamodbFaults = async ({ url, seed = 1, rates: initial = {} }: DynamodbFaultsOptions) => {
  const random = randomFrom(seed);
  const agent = new Agent({ keepAlive: true });
  let rates = initial;
  const met = new Map<Fault, number>();

  const draw = (operation: string): Fault | undefined => {
    const possible = faults.filter((fault) => !ofWrites.has(fault) || writes.has(operation));
    let left = random();
    const drawn = possible.find((fault) => {
      left -= rates[fault] ?? 0;
      return left < 0;
    });
    if (drawn) met.set(drawn, (met.get(drawn) ?? 0) + 1);
    return drawn;
  };

  const oneOf = <T>(choices: readonly [T, ...T[]]): T => choices[Math.floor(random() * choices.length)] ?? choices[0];

  const refusalOf = (fault: Refused, operation: string, body: Buffer): Refusal => {
    if (operation !== 'TransactWriteItems') return oneOf(refusals[fault]);
    const { TransactItems } = transaction.parse(JSON.parse(body.toString()));
    const hit = Math.floor(random() * TransactItems.length);
    const code = oneOf(reasons[fault]);
    const CancellationReasons = TransactItems.map((_, n) => ({ Code: n === hit ? code : 'None' }));
    return { status: 400, type: 'TransactionCanceledException', more: { CancellationReasons } };
  };

  const pass = async ({ method, url: path = '/', headers }: IncomingMessage, body: Buffer) => {
    const call = request(new URL(path, url), { method, headers, agent }).end(body);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
    const fault = draw(operation);
    if (fault === 'conflict' || fault === 'throttled') return refuse(response, refusalOf(fault, operation, body));
    const answer = fault === 'cut' ? undefined : await pass(incoming, body);
    if (fault === 'late') await sleep(rates.lateMs ?? 0, undefined, { ref: false });
    if (!answer || fault === 'lost') incoming.socket.destroy();
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  };

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => incoming.socket.destroy());
  });
  const { url: ownUrl, close } = await listenLocally(server);

  return {
    url: ownUrl,
    /** Applies to later calls; without rates, every call passes. */
    set: (next: FaultRates = {}): void => {
      rates = next;
    },
    /** The number of calls that met this fault. */
    met: (fault: Fault): number => met.get(fault) ?? 0,
    close: async (): Promise<void> => {
      await close();
      agent.destroy();
    },
  };
};

const transaction = z.object({ TransactItems: z.array(z.unknown()) });

const refuse = (response: ServerResponse, { status, type, more }: Refusal): void => {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(
    JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Injected fault.', ...more }),
  );
};
