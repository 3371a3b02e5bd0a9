import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { escapeHtml } from '../../../shared/kit/html.ts';
import { hourMs } from '../../../shared/kit/time-units.ts';
import type { BucketSpec } from '../blueprint.ts';
import { complain, reasonOf } from '../complaints.ts';
import { listenLocally } from '../listen-locally.ts';
import { noPermissions, type Permissions } from '../permissions.ts';
import { accessKeyIn } from './aws-caller.ts';
import { AwsError } from './json-service.ts';
import { isFromOtherSite } from './other-site.ts';
import { isPresigned, presignedBy, verifyPresigned } from './s3-signature.ts';
import { openS3Store, type S3Store, type StoredObject } from './s3-store.ts';

const smallestPart = 5 * 1024 * 1024;

interface Call {
  readonly method: string;
  readonly url: URL;
  readonly bucket: string;
  readonly key: string;
  readonly request: IncomingMessage;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Readable;
}

/**
 * The calls of S3 that the product and its tools make, in path style, on 127.0.0.1. Objects lie in the data directory and survive a SIGKILL.
 * A signature in the query is verified; one in the headers only names its caller, as in the other emulators.
 */
export const startS3 = async (options: {
  dataDirectory: string;
  buckets: readonly BucketSpec[];
  permissions?: Permissions;
  /** The port to listen on, if it is free. */
  port?: number | undefined;
  clock?: () => number;
  expireEveryMs?: number;
}) => {
  const { buckets, permissions = noPermissions, clock = Date.now, expireEveryMs = hourMs } = options;
  const store = openS3Store(join(options.dataDirectory, 's3'));
  const expire = (): void => store.expire(buckets, clock());
  expire();
  const upkeep = setInterval(() => {
    try {
      expire();
    } catch (thrown) {
      // The disk may be full. The next round makes up for it.
      complain(reasonOf(thrown), `Expired objects cannot be deleted: ${reasonOf(thrown)}`);
    }
  }, expireEveryMs).unref();
  const answers = answersFrom(store, buckets);

  const demand = (caller: string, action: string, resource: string): void => {
    const refusal = permissions.refusalOf(caller, () => [{ action, resource }]);
    if (refusal) throw new AwsError('AccessDenied', refusal, 403);
  };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, bucket = '', ...path] = url.pathname.split('/').map(decodeURIComponent);
    const call = { method, url, bucket, key: path.join('/'), request };
    const name = operationOf(call);
    if (isPresigned(url)) verifyPresigned({ method, url, headers }, clock());
    else if (isFromOtherSite(request)) throw new AwsError('AccessDenied', 'A page of another site sent this.', 403);
    const caller = isPresigned(url) ? presignedBy(url) : accessKeyIn(headers.authorization);
    const resource = `arn:aws:s3:::${call.key === '' ? bucket : `${bucket}/${call.key}`}`;
    demand(caller, actions[name], resource);
    if (name !== 'ListBuckets' && !buckets.some((each) => each.name === bucket))
      throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
    // S3 says that an object is missing only to callers who may list the bucket.
    if (call.key !== '' && actions[name] === 's3:GetObject' && !store.find(bucket, call.key))
      demand(caller, 's3:ListBucket', `arn:aws:s3:::${bucket}`);
    return answers[name](call);
  };

  const server = createServer((request, response) => {
    answer(request)
      .catch((thrown: unknown) => {
        // A caller that disconnected is no failure.
        if (!response.destroyed && !(thrown instanceof AwsError)) complain(reasonOf(thrown), thrown);
        return refused(thrown);
      })
      .then((reply) => send(reply, request, response))
      // The caller disconnected.
      .catch(() => response.destroy());
  });
  const { url, close } = await listenLocally(server, options.port).catch(() => listenLocally(server));
  return {
    url,
    close: async () => {
      clearInterval(upkeep);
      await close();
      store.close();
    },
  };
};

/** What each operation requires. */
const actions = {
  ListBuckets: 's3:ListAllMyBuckets',
  ListObjectsV2: 's3:ListBucket',
  GetObject: 's3:GetObject',
  HeadObject: 's3:GetObject',
  PutObject: 's3:PutObject',
  DeleteObject: 's3:DeleteObject',
  CreateMultipartUpload: 's3:PutObject',
  UploadPart: 's3:PutObject',
  CompleteMultipartUpload: 's3:PutObject',
} as const;

type Operation = keyof typeof actions;

/** The first row that fits names the operation. `of`: what the path must name. `by`: a parameter that the query must have. */
const operations: readonly {
  readonly method: string;
  readonly of: 'service' | 'bucket' | 'object';
  readonly by?: string;
  readonly name: Operation;
}[] = [
  { method: 'GET', of: 'service', name: 'ListBuckets' },
  { method: 'GET', of: 'bucket', name: 'ListObjectsV2' },
  { method: 'GET', of: 'object', name: 'GetObject' },
  { method: 'HEAD', of: 'object', name: 'HeadObject' },
  { method: 'PUT', of: 'object', by: 'partNumber', name: 'UploadPart' },
  { method: 'PUT', of: 'object', name: 'PutObject' },
  { method: 'DELETE', of: 'object', name: 'DeleteObject' },
  { method: 'POST', of: 'object', by: 'uploads', name: 'CreateMultipartUpload' },
  { method: 'POST', of: 'object', by: 'uploadId', name: 'CompleteMultipartUpload' },
];

const operationOf = ({ method, url: { searchParams }, bucket, key }: Call): Operation => {
  const named = key !== '' ? 'object' : bucket !== '' ? 'bucket' : 'service';
  const row = operations.find(
    (each) => each.method === method && each.of === named && (!each.by || searchParams.has(each.by)),
  );
  if (row) return row.name;
  throw new AwsError('NotImplemented', 'The local S3 does not have this operation.', 501);
};

const answersFrom = (
  store: S3Store,
  buckets: readonly BucketSpec[],
): Readonly<Record<Operation, (call: Call) => Answer | Promise<Answer>>> => {
  const found = ({ bucket, key }: Call): StoredObject => {
    const object = store.find(bucket, key);
    if (!object) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
    return object;
  };
  const quoted = (etag: string) => ({ etag: `"${etag}"` });

  const describe = (call: Call) => {
    const object = found(call);
    const { from, to, isPart } = rangeOf(call.request.headers.range, object.bytes);
    const { searchParams } = call.url;
    const disposition = searchParams.get('response-content-disposition');
    const answer: Answer = {
      status: isPart ? 206 : 200,
      headers: {
        ...quoted(object.etag),
        'accept-ranges': 'bytes',
        'content-length': to - from + 1,
        'content-type': searchParams.get('response-content-type') ?? object.contentType,
        'last-modified': new Date(object.storedMs).toUTCString(),
        ...(object.contentEncoding !== null && { 'content-encoding': object.contentEncoding }),
        ...(isPart && { 'content-range': `bytes ${from}-${to}/${object.bytes}` }),
        ...(disposition && { 'content-disposition': disposition }),
      },
    };
    return { object, from, to, answer };
  };

  return {
    ListBuckets: () => {
      const names = buckets.map(({ name }) => `<Bucket><Name>${escapeHtml(name)}</Name></Bucket>`);
      return xml(`<ListAllMyBucketsResult><Buckets>${names.join('')}</Buckets></ListAllMyBucketsResult>`);
    },
    ListObjectsV2: ({ bucket, url: { searchParams } }) => {
      const most = Number(searchParams.get('max-keys') ?? 1_000);
      const objects = store.list(
        bucket,
        searchParams.get('prefix') ?? '',
        searchParams.get('start-after') ?? '',
        most + 1,
      );
      const contents = objects
        .slice(0, most)
        .map(({ key, bytes }) => `<Contents><Key>${escapeHtml(key)}</Key><Size>${bytes}</Size></Contents>`);
      return xml(
        `<ListBucketResult><KeyCount>${contents.length}</KeyCount><IsTruncated>${objects.length > most}</IsTruncated>${contents.join('')}</ListBucketResult>`,
      );
    },
    GetObject: (call) => {
      const { object, from, to, answer } = describe(call);
      return object.bytes === 0 ? answer : { ...answer, body: store.read(object, from, to) };
    },
    HeadObject: (call) => describe(call).answer,
    PutObject: async ({ bucket, key, request }) => {
      const written = await store.write(sized(request));
      store.put(bucket, key, written, {
        contentType: request.headers['content-type'] ?? 'binary/octet-stream',
        contentEncoding: request.headers['content-encoding'] ?? null,
      });
      return { headers: quoted(written.etag) };
    },
    DeleteObject: ({ bucket, key }) => {
      store.remove(bucket, key);
      return { status: 204 };
    },
    CreateMultipartUpload: ({ request }) => {
      // The type is kept in the id, because an upload is no object yet.
      const type = Buffer.from(request.headers['content-type'] ?? 'binary/octet-stream').toString('base64url');
      return xml(
        `<InitiateMultipartUploadResult><UploadId>${randomUUID()}.${type}</UploadId></InitiateMultipartUploadResult>`,
      );
    },
    UploadPart: async ({ url: { searchParams }, request }) => {
      const written = await store.write(sized(request));
      store.putPart(searchParams.get('uploadId') ?? '', Number(searchParams.get('partNumber')), written);
      return { headers: quoted(written.etag) };
    },
    CompleteMultipartUpload: async ({ bucket, key, url: { searchParams }, request }) => {
      const upload = searchParams.get('uploadId') ?? '';
      const listed = [
        ...(await text(request)).matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>(?:"|&quot;)?(\w+)/g),
      ].map(([, number, etag]) => ({ number: Number(number), etag }));
      const kept = store.parts(upload);
      if (kept.length === 0) throw new AwsError('NoSuchUpload', 'The specified upload does not exist.', 404);
      const parts = listed.map(({ number, etag }) => kept.find((part) => part.number === number && part.etag === etag));
      const known = parts.filter((part) => part !== undefined);
      if (known.length < Math.max(parts.length, 1))
        throw new AwsError('InvalidPart', 'One or more of the specified parts could not be found.');
      if (known.slice(0, -1).some(({ bytes }) => bytes < smallestPart))
        throw new AwsError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
      const whole = await store.write(store.joined(known));
      const contentType = Buffer.from(upload.split('.')[1] ?? '', 'base64url').toString();
      store.put(
        bucket,
        key,
        { ...whole, etag: `${whole.etag}-${known.length}` },
        { contentType, contentEncoding: null },
      );
      store.endUpload(upload);
      return xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
    },
  };
};

/** S3 accepts no body without its length. */
const sized = (request: IncomingMessage): IncomingMessage => {
  if (request.headers['content-length'] !== undefined) return request;
  throw new AwsError('MissingContentLength', 'You must provide the Content-Length HTTP header.', 411);
};

const rangeOf = (header: string | undefined, bytes: number) => {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined) return { from: 0, to: bytes - 1, isPart: false };
  const from = Number(first);
  if (from >= bytes) throw new AwsError('InvalidRange', 'The requested range is not satisfiable', 416);
  return { from, to: Math.min(last ? Number(last) : bytes - 1, bytes - 1), isPart: true };
};

const xml = (body: string): Answer => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
});

const refused = (thrown: unknown): Answer => {
  const { code, message, status } =
    thrown instanceof AwsError ? thrown : new AwsError('InternalError', 'The emulator failed; its log says why.', 500);
  return {
    ...xml(`<Error><Code>${escapeHtml(code)}</Code><Message>${escapeHtml(message)}</Message></Error>`),
    status,
  };
};

const send = async (
  { status = 200, headers, body = '' }: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  response.writeHead(status, { 'x-amz-request-id': randomUUID(), ...headers });
  if (typeof body === 'string') response.end(request.method === 'HEAD' ? undefined : body);
  else await pipeline(body, response);
  // What was not read of a refused upload.
  request.resume();
};
