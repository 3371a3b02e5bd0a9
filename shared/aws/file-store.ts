import * as z from 'zod';
import { InternalError } from '../kit/internal-error.ts';
import { assertInTime } from '../kit/time-limit.ts';
import { retried } from './aws-retry.ts';
import { openSigner, queryText } from './signature.ts';
import type { AwsEndpoint } from './signed-post.ts';

/** A file of seven megabytes passes within it. */
const callWithinMs = 15_000;

interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without characters that a URL would encode. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** `fetch` has names of its own for a kept connection that the other side closed, and for an answer that broke off. */
const systemCode = z.object({ cause: z.object({ code: z.string().regex(/^E/) }) });

/** In the form of the SDK's errors, by which `retried` knows what to repeat. */
const failure = (status: number, code: string) =>
  Object.assign(new InternalError('S3 refused a call', { status, code }), { $metadata: { httpStatusCode: status } });

const notReached = (cause: unknown): never => {
  if (cause instanceof Error && cause.name === 'TimeoutError') throw cause;
  const code = systemCode.safeParse(cause).data?.cause.code ?? 'ECONNRESET';
  throw Object.assign(new InternalError('S3 could not be reached', {}, { cause }), { code });
};

const nothing = (): void => undefined;

const tagIn = ({ headers }: Response): string => headers.get('etag') ?? '';

/** What a file is. */
interface FoundFile {
  readonly bytes: number;
  /** Of its content. */
  readonly tag: string;
  /** Its uploader has said that it is: a part of it cannot be read. */
  readonly isCompressed: boolean;
}

const isCompressed = ({ headers }: Response): boolean =>
  !['', 'identity'].includes(headers.get('content-encoding') ?? '');

const foundFile = (response: Response): FoundFile => ({
  bytes: Number(response.headers.get('content-length')),
  tag: tagIn(response),
  isCompressed: isCompressed(response),
});

/**
 * The files of the bucket at this address. Its calls are made without the SDK's S3 client, which would double the size of the functions that send
 * messages. Every call may be repeated.
 */
export const openFileStore = ({ url, ...caller }: AwsEndpoint) => {
  const signer = openSigner('s3', caller);
  const { host, pathname } = new URL(url);

  const requestOf = ({ key, headers, ...call }: S3Call) => ({
    ...call,
    path: `${pathname.replace(/\/$/, '')}/${key}`,
    headers: { host, ...headers },
  });

  const urlOf = ({ path }: { readonly path: string }, query: Readonly<Record<string, string>> = {}): string => {
    const parameters = queryText(query);
    return `${new URL(path, url)}${parameters && `?${parameters}`}`;
  };

  /** `take` reads the answer, which can break off too. `may`: refusals that are answers. */
  const call = <Taken>(
    what: S3Call,
    take: (response: Response) => Taken | Promise<Taken>,
    may: readonly number[] = [],
  ): Promise<Taken> =>
    retried(async () => {
      const request = requestOf(what);
      const { host: _, ...headers } = await signer.sign(request);
      assertInTime();
      const response = await fetch(urlOf(request, what.query), {
        method: what.method,
        headers,
        ...(what.body && { body: new Uint8Array(what.body) }),
        signal: AbortSignal.timeout(callWithinMs),
      }).catch(notReached);
      const isAnswer = response.ok || may.includes(response.status);
      const taken = await Promise.resolve(isAnswer ? take(response) : response.text()).catch(notReached);
      if (isAnswer) return taken as Taken;
      throw failure(response.status, /<Code>(\w+)</.exec(String(taken))?.[1] ?? '');
    });

  const presigned = async (what: S3Call, seconds: number): Promise<string> => {
    const request = requestOf(what);
    return urlOf(request, await signer.presign(request, seconds));
  };

  /** What a file is; undefined when there is none. */
  const find = (key: string): Promise<FoundFile | undefined> =>
    call({ method: 'HEAD', key }, (response) => (response.ok ? foundFile(response) : undefined), [404]);

  return {
    put: async (key: string, body: Buffer): Promise<void> => call({ method: 'PUT', key, body }, nothing),

    remove: async (key: string): Promise<void> => call({ method: 'DELETE', key }, nothing),

    find,

    /** How many bytes a file has; undefined when there is none. */
    bytesOf: async (key: string): Promise<number | undefined> => (await find(key))?.bytes,

    /**
     * A file, or `most` bytes of it from an offset on; undefined when there is none. Without bytes at and after its end, where it has another
     * `tag`, and where it is compressed: `fetch` would expand it to any size. The tag does not show that.
     */
    read: (
      key: string,
      part?: { readonly from: number; readonly most: number; readonly tag?: string | undefined },
    ): Promise<Buffer | undefined> => {
      const range = part && { range: `bytes=${part.from}-${part.from + part.most - 1}` };
      const contentOf = async (response: Response): Promise<Buffer | undefined> => {
        if (response.status === 404) return undefined;
        const isOther = part?.tag !== undefined && part.tag !== tagIn(response);
        if (response.ok && !isOther && !isCompressed(response)) return Buffer.from(await response.arrayBuffer());
        await response.body?.cancel();
        return Buffer.alloc(0);
      };
      return call({ method: 'GET', key, ...(range && { headers: range }) }, contentOf, [404, 416]);
    },

    /** A URL that takes a file by PUT; with `bytes`, of exactly this size. */
    uploadUrl: (key: string, { seconds, bytes }: { readonly seconds: number; readonly bytes?: number }) =>
      presigned(
        { method: 'PUT', key, ...(bytes !== undefined && { headers: { 'content-length': String(bytes) } }) },
        seconds,
      ),

    /** A URL that gives a CSV file by GET, which a browser saves under this name. */
    downloadUrl: (key: string, { seconds, filename }: { readonly seconds: number; readonly filename: string }) => {
      const query = {
        'response-content-type': 'text/csv; charset=utf-8',
        'response-content-disposition': `attachment; filename="${filename}"`,
      };
      return presigned({ method: 'GET', key, query }, seconds);
    },

    /** A file that is written in parts, each of 5 MB at least, but for the last. It exists once it is completed. */
    beginParts: async (key: string): Promise<string> => {
      const answer = await call({ method: 'POST', key, query: { uploads: '' } }, (response) => response.text());
      const [, upload] = /<UploadId>([^<]+)</.exec(answer) ?? [];
      if (upload === undefined) throw new InternalError('S3 began no upload', {});
      return upload;
    },

    /** Returns the part's tag. */
    putPart: (key: string, upload: string, number: number, body: Buffer): Promise<string> => {
      const query = { partNumber: String(number), uploadId: upload };
      return call({ method: 'PUT', key, query, body }, tagIn);
    },

    /** Completed again, it is complete. */
    completeParts: async (key: string, upload: string, tags: readonly string[]): Promise<void> => {
      const parts = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      const completion = { method: 'POST', key, query: { uploadId: upload }, body } as const;
      const { status, answer } = await call(
        completion,
        async (response) => ({ status: response.status, answer: await response.text() }),
        [404],
      );
      const isThere = status === 404 && (await call({ method: 'HEAD', key }, ({ ok }) => ok, [404]));
      // S3 may answer 200 and report a failure in the body, because it begins to answer before it is done.
      if (!isThere && (status === 404 || answer.includes('<Error>')))
        throw failure(500, /<Code>(\w+)</.exec(answer)?.[1] ?? '');
    },
  };
};

export type FileStore = ReturnType<typeof openFileStore>;
