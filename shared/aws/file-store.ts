import * as z from 'zod';
import { InternalError } from '../kit/internal-error.ts';
import { retried } from './aws-retry.ts';
import { openSigner, queryText } from './signature.ts';
import type { AwsPlace } from './signed-post.ts';

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

const systemCode = z.object({ cause: z.object({ code: z.string() }) });

/** In the form of the SDK's errors, by which `retried` knows what to repeat. */
const failure = (status: number, code: string) =>
  Object.assign(new InternalError('S3 refused a call', { status, code }), { $metadata: { httpStatusCode: status } });

const unreachable = (cause: unknown) =>
  cause instanceof Error && cause.name === 'TimeoutError'
    ? cause
    : Object.assign(new InternalError('S3 could not be reached', {}, { cause }), {
        code: systemCode.safeParse(cause).data?.cause.code ?? 'ECONNRESET',
      });

/**
 * The files of the bucket at this address. Its calls are made without the SDK's S3 client, which would double the size of the functions that send
 * messages. Every call may be repeated.
 */
export const openFileStore = ({ url, ...caller }: AwsPlace) => {
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

  /** `may`: refusals that are answers. */
  const call = (what: S3Call, may: readonly number[] = []): Promise<Response> =>
    retried(async () => {
      const request = requestOf(what);
      const { host: _, ...headers } = await signer.sign(request);
      const response = await fetch(urlOf(request, what.query), {
        method: what.method,
        headers,
        ...(what.body && { body: new Uint8Array(what.body) }),
        signal: AbortSignal.timeout(callWithinMs),
      }).catch((thrown: unknown) => {
        throw unreachable(thrown);
      });
      if (response.ok || may.includes(response.status)) return response;
      throw failure(response.status, /<Code>(\w+)</.exec(await response.text())?.[1] ?? '');
    });

  const presigned = async (what: S3Call, seconds: number): Promise<string> => {
    const request = requestOf(what);
    return urlOf(request, await signer.presign(request, seconds));
  };

  return {
    put: async (key: string, body: Buffer): Promise<void> => void (await call({ method: 'PUT', key, body })),

    remove: async (key: string): Promise<void> => void (await call({ method: 'DELETE', key })),

    /** How many bytes a file has; undefined when there is none. */
    bytesOf: async (key: string): Promise<number | undefined> => {
      const response = await call({ method: 'HEAD', key }, [404]);
      return response.ok ? Number(response.headers.get('content-length')) : undefined;
    },

    /** A file, or `most` bytes of it from an offset on; undefined when there is none. Without bytes at and after its end. */
    read: async (key: string, part?: { readonly from: number; readonly most: number }): Promise<Buffer | undefined> => {
      const range = part && { range: `bytes=${part.from}-${part.from + part.most - 1}` };
      const response = await call({ method: 'GET', key, ...(range && { headers: range }) }, [404, 416]);
      if (response.status === 404) return undefined;
      return response.ok ? Buffer.from(await response.arrayBuffer()) : Buffer.alloc(0);
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
      const answer = await (await call({ method: 'POST', key, query: { uploads: '' } })).text();
      const [, upload] = /<UploadId>([^<]+)</.exec(answer) ?? [];
      if (upload === undefined) throw new InternalError('S3 began no upload', {});
      return upload;
    },

    /** Returns the part's tag. */
    putPart: async (key: string, upload: string, number: number, body: Buffer): Promise<string> => {
      const query = { partNumber: String(number), uploadId: upload };
      const { headers } = await call({ method: 'PUT', key, query, body });
      return headers.get('etag') ?? '';
    },

    /** Completed again, it is complete. */
    completeParts: async (key: string, upload: string, tags: readonly string[]): Promise<void> => {
      const parts = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      const response = await call({ method: 'POST', key, query: { uploadId: upload }, body }, [404]);
      const answer = await response.text();
      const isThere = response.status === 404 && (await call({ method: 'HEAD', key }, [404])).ok;
      // S3 may answer 200 and report a failure in the body, because it begins to answer before it is done.
      if (!isThere && (!response.ok || answer.includes('<Error>')))
        throw failure(500, /<Code>(\w+)</.exec(answer)?.[1] ?? '');
    },
  };
};

export type FileStore = ReturnType<typeof openFileStore>;
