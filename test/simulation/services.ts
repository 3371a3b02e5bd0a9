import { AwsError } from '../../shared/aws/aws-service.ts';
import type { RawMail } from '../../shared/providers/email/ses-call.ts';
import { type Bucket, type FileAnswer, type FileCall, fileOperationOf } from './bucket.ts';
import { awsErrors, conflictOf, type FaultName, type ServiceName } from './faults.ts';
import type { Machine } from './machine.ts';
import { isQueue, type Queues } from './queues.ts';
import type { Random } from './random.ts';
import { remembering } from './remembering.ts';
import { openedKey } from './surroundings.ts';
import type { MemoryTable } from './table/memory-table.ts';

interface Command {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: the edge to commands of many clients
  readonly input: any;
}

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A text as AWS End User Messaging gets it. */
export interface SentSms {
  readonly DestinationPhoneNumber: string;
  readonly MessageBody: string;
  readonly Context: { readonly accountId: string; readonly messageId: string };
}

/** The services behind AWS and beyond it: where mails, texts and HTTP requests go to. */
export interface Outside {
  /** @throws what the email service answers instead */
  mail(mail: RawMail, random: Random): string;
  /** Undefined where no account sends by AWS. @throws what AWS answers instead */
  readonly sms?: ((text: SentSms, random: Random) => object) | undefined;
  http(call: HttpCall, random: Random): { readonly statusCode: number; readonly body: string };
}

interface Needs {
  readonly machine: Machine;
  readonly table: MemoryTable;
  readonly queues: Queues;
  readonly bucket: Bucket;
  readonly outside: Required<Outside>;
  /** Called with the key of each file that is asked for. */
  readonly onFile: (key: string) => void;
}

const shapes = remembering<string>();
/** A text without what is another one at each call: ids, hashes, numbers. */
const shapeOf = (text: string): string =>
  shapes(text, () =>
    text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}|[\w-]{43}|\d{4}-\d\d-\d\d[\dT:.Z-]*|\d+/g, '*'),
  );

const keyShape = ({ PK, SK }: { readonly PK: string; readonly SK: string }): string => `${shapeOf(PK)} ${shapeOf(SK)}`;

const isWrite = ({ name }: Command): boolean => /^(Put|Update|Delete|BatchWrite|Transact)/.test(name);

/** What a call of the table is about: the command, and the shape of the keys that it names. */
const tableLabel = ({ name, input }: Command): string => {
  const command = name.replace('Command', '');
  if (name === 'QueryCommand') return `${command} ${shapeOf(input.ExpressionAttributeValues[':hash'])}`;
  if (name === 'BatchGetCommand')
    return `${command} ${keyShape(input.RequestItems[Object.keys(input.RequestItems)[0] ?? ''].Keys[0])}`;
  if (name === 'BatchWriteCommand') {
    const [[put] = []] = Object.values<Command['input']>(input.RequestItems);
    return `${command} ${keyShape(put.PutRequest.Item)}`;
  }
  if (name !== 'TransactWriteCommand') return `${command} ${keyShape(input.Key ?? input.Item)}`;
  const [first] = input.TransactItems;
  const [part] = Object.values<Command['input']>(first);
  return `${command} ${keyShape(part.Key ?? part.Item)}`;
};

/** The services that the product calls, each call by way of the machine. */
export const openServices = ({ machine, table, queues, bucket, outside, onFile }: Needs) => {
  const schedules = new Set<string>();

  const failAws = (fault: FaultName, random: Random): unknown => {
    if (fault === 'conflict') throw conflictOf(undefined, random);
    if (fault === 'killedBefore' || fault === 'killedAfter') throw new Error('a killed run gets no answer');
    throw awsErrors[fault]();
  };
  const call = (
    service: ServiceName,
    label: string,
    perform: (random: Random) => unknown,
    fail = failAws,
  ): Promise<unknown> => machine.call({ service, label, perform, fail });

  const queueIn = (address: string) => {
    const name = address.split(/[:/]/).at(-1) ?? '';
    if (!isQueue(name)) throw new Error(`there is no queue ${name}`);
    return name;
  };

  const tableCall = (command: Command): unknown => {
    const make: ((input: never) => unknown) | undefined = Reflect.get(table.calls, command.name);
    if (!make) throw new Error(`the table in memory has no ${command.name}`);
    return make(command.input as never);
  };

  const begunCall = (command: Command): ((random: Random) => unknown) => {
    if (command.name !== 'BatchGetCommand') return () => tableCall(command);
    const batch = table.begunBatch(command.input);
    return (random) => batch(() => random.isChance(0.5));
  };

  return {
    table: (command: Command) => {
      const writes = command.name === 'TransactWriteCommand' ? command.input.TransactItems.length : undefined;
      return call('table', tableLabel(command), begunCall(command), (fault, random) => {
        if (fault === 'conflict' && isWrite(command)) throw conflictOf(writes, random);
        return failAws(fault === 'conflict' ? 'throttled' : fault, random);
      });
    },

    queues: ({ name, input }: Command) =>
      call('queue', `${name} ${queueIn(input.QueueUrl)}`, () => {
        for (const entry of input.Entries) {
          if (name === 'SendMessageBatch')
            queues.add(queueIn(input.QueueUrl), entry.MessageBody, 1_000 * (entry.DelaySeconds ?? 0));
          else queues.hide(entry.ReceiptHandle, 1_000 * entry.VisibilityTimeout);
        }
        return { Failed: [] };
      }),

    schedules: ({ name, input }: Command) =>
      call('schedule', name, (random) => {
        if (schedules.has(input.Name)) throw new AwsError({ status: 409, body: { __type: 'ConflictException' } });
        schedules.add(input.Name);
        const second = String(input.ScheduleExpression).slice('at('.length, -1);
        // A schedule fires within a minute of its time.
        machine.timeline.at(Date.parse(`${second}Z`) + random.below(60_000), () => {
          schedules.delete(input.Name);
          queues.add(queueIn(input.Target.Arn), input.Target.Input, 0);
        });
        return {};
      }),

    keys: ({ name, input }: Command) =>
      call('keys', name, (random) => {
        const sealed: string = input.CiphertextBlob ?? random.bytes(32).toString('base64');
        return { CiphertextBlob: sealed, Plaintext: openedKey(sealed, input.EncryptionContext.accountId) };
      }),

    files: (asked: FileCall) =>
      machine.call({
        service: 'files',
        label: `${fileOperationOf(asked)} ${shapeOf(asked.url.pathname)}`,
        withinMs: fileWithinMs,
        perform: (random) => {
          onFile(asked.url.pathname.slice(1));
          return responseOf(bucket.answer(asked, () => random.uuid()));
        },
        fail: (fault, random) => failFile(fault, random, fileOperationOf(asked), () => bucket.answer(asked)),
      }),

    email: (mail: RawMail) => call('email', 'SendRawEmail', (random) => outside.mail(mail, random)),

    sms: ({ name, input }: Command) => call('sms', name, (random) => outside.sms?.(input, random)),

    http: (request: HttpCall) =>
      call(
        'http',
        `${request.method} ${new URL(request.url).host}`,
        (random) => {
          const { statusCode, body } = outside.http(request, random);
          return exchangeOf(statusCode, body);
        },
        (fault) => {
          if (fault === 'failed') return exchangeOf(500, 'Internal server error');
          const kind = fault === 'unreached' ? 'unreached' : 'broken';
          return { answer: undefined, failure: { kind, message: `The request failed (${fault}).` } };
        },
      ),

    /** As `fetch` calls what is not AWS's. */
    web: (request: HttpCall) =>
      call(
        'http',
        `${request.method} ${new URL(request.url).host}`,
        (random) => {
          const { statusCode, body } = outside.http(request, random);
          return responseOf({ status: statusCode, headers: {}, body: Buffer.from(body) });
        },
        (fault) => {
          if (fault === 'failed') return responseOf({ status: 500, headers: {}, body: Buffer.alloc(0) });
          throw fetchFailed(fault === 'unreached' ? 'ECONNREFUSED' : 'UND_ERR_SOCKET');
        },
      ),
  };
};

export type SimulatedServices = ReturnType<typeof openServices>;

const exchangeOf = (statusCode: number, body: string) => ({
  answer: { statusCode, headers: {}, body, bytes: Buffer.from(body), isCut: false },
  failure: undefined,
});

/** As the store of files gives a call up. */
const fileWithinMs = 15_000;

/** What `fetch` throws for a connection that failed, with its own names for some causes. */
const fetchFailed = (code: string): Error => new TypeError('fetch failed', { cause: errorWith(code) });
const errorWith = (code: string): Error => Object.assign(new Error(code), { code });

const responseOf = ({ status, headers, body }: FileAnswer, isCut = false) => {
  const read = async <Read>(take: () => Read): Promise<Read> => {
    if (isCut) throw new TypeError('terminated', { cause: errorWith('UND_ERR_SOCKET') });
    return take();
  };
  return {
    status,
    ok: status < 300,
    headers: new Headers(headers),
    text: () => read(() => String(body)),
    json: () => read(() => JSON.parse(String(body))),
    arrayBuffer: () => read(() => body),
  };
};

const refusal = (status: number, code: string) =>
  responseOf({ status, headers: {}, body: Buffer.from(`<Error><Code>${code}</Code></Error>`) });

/** What the caller of S3 gets. It may begin to answer with success before it fails to complete a file, and a file that is read may break off. */
const failFile = (fault: FaultName, random: Random, operation: string, read: () => FileAnswer) => {
  if (fault === 'throttled') return refusal(503, 'SlowDown');
  if (fault === 'failed') {
    const isLate = operation === 'CompleteMultipartUpload' && random.isChance(0.5);
    return refusal(isLate ? 200 : 500, 'InternalError');
  }
  if (fault === 'timedOut') throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  const isBegun = fault === 'lost' && operation === 'GetObject' && random.isChance(0.5);
  if (isBegun) return responseOf(read(), true);
  throw fetchFailed(fault === 'unreached' ? 'ECONNREFUSED' : 'UND_ERR_SOCKET');
};
