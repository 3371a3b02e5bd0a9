import { createHash } from 'node:crypto';
import { AwsError } from '../../infra/local/emulators/json-service.ts';
import { isPresigned, verifyPresigned } from '../../infra/local/emulators/s3-signature.ts';
import { smallestPart } from './sizes.ts';

export interface FileCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface FileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Stored {
  readonly bytes: Buffer;
  readonly tag: string;
}

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
const stored = (bytes: Buffer): Stored => ({ bytes, tag: `"${md5(bytes)}"` });
const answer = (status: number, headers: FileAnswer['headers'] = {}, body: string | Buffer = ''): FileAnswer => ({
  status,
  headers,
  body: Buffer.from(body),
});
const refused = (code: string, status: number): AwsError => new AwsError(code, code, status);

/** What a call does, by its method and its query. */
export const fileOperationOf = ({ method, url: { searchParams } }: Pick<FileCall, 'method' | 'url'>): string => {
  if (method === 'GET' || method === 'HEAD') return `${method === 'GET' ? 'Get' : 'Head'}Object`;
  if (method === 'DELETE') return 'DeleteObject';
  if (method === 'PUT') return searchParams.has('partNumber') ? 'UploadPart' : 'PutObject';
  return searchParams.has('uploads') ? 'CreateMultipartUpload' : 'CompleteMultipartUpload';
};

const keyOf = ({ url }: FileCall): string => url.pathname.slice(1);

/** S3 with one bucket, in memory: the calls of `shared/aws/file-store.ts`, and those of URLs that it has signed. Each is carried out at once and as a whole. */
export const openBucket = (nowMs: () => number) => {
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, Map<number, Stored>>();

  const found = (call: FileCall): Stored => {
    const object = objects.get(keyOf(call));
    if (!object) throw refused('NoSuchKey', 404);
    return object;
  };

  const partsOf = ({ url: { searchParams } }: FileCall): Map<number, Stored> => {
    const parts = uploads.get(searchParams.get('uploadId') ?? '');
    if (!parts) throw refused('NoSuchUpload', 404);
    return parts;
  };

  const joined = (call: FileCall): Buffer => {
    const parts = partsOf(call);
    const listed = [...String(call.body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)</g)];
    const known = listed.map(([, number, tag]) => {
      const part = parts.get(Number(number));
      if (!part || part.tag !== tag) throw refused('InvalidPart', 400);
      return part.bytes;
    });
    if (known.slice(0, -1).some(({ length }) => length < smallestPart)) throw refused('EntityTooSmall', 400);
    return Buffer.concat(known);
  };

  const operations: Readonly<Record<string, (call: FileCall, newId: () => string) => FileAnswer>> = {
    GetObject: (call) => {
      const { bytes, tag } = found(call);
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(call.headers['range'] ?? '') ?? [];
      if (first === undefined) return answer(200, { etag: tag }, bytes);
      if (Number(first) >= bytes.length) throw refused('InvalidRange', 416);
      return answer(206, { etag: tag }, bytes.subarray(Number(first), Number(last) + 1));
    },
    HeadObject: (call) => {
      const { bytes, tag } = found(call);
      return answer(200, { etag: tag, 'content-length': String(bytes.length) });
    },
    PutObject: (call) => {
      const object = stored(call.body);
      objects.set(keyOf(call), object);
      return answer(200, { etag: object.tag });
    },
    DeleteObject: (call) => {
      objects.delete(keyOf(call));
      return answer(204);
    },
    CreateMultipartUpload: (_, newId) => {
      const id = newId();
      uploads.set(id, new Map());
      return answer(
        200,
        {},
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    },
    UploadPart: (call) => {
      const part = stored(call.body);
      partsOf(call).set(Number(call.url.searchParams.get('partNumber')), part);
      return answer(200, { etag: part.tag });
    },
    CompleteMultipartUpload: (call) => {
      objects.set(keyOf(call), stored(joined(call)));
      uploads.delete(call.url.searchParams.get('uploadId') ?? '');
      return answer(200, {}, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
    },
  };

  return {
    /** A call, signed in its query or by a function. `newId`: of what it begins. */
    answer: (call: FileCall, newId = () => ''): FileAnswer => {
      try {
        const headers = { ...call.headers, host: call.url.host, 'content-length': String(call.body.length) };
        if (isPresigned(call.url)) verifyPresigned({ ...call, headers }, nowMs());
        return operations[fileOperationOf(call)]?.(call, newId) ?? answer(501);
      } catch (thrown) {
        if (!(thrown instanceof AwsError)) throw thrown;
        return answer(thrown.status, {}, `<Error><Code>${thrown.code}</Code></Error>`);
      }
    },

    /** What a file has; undefined when there is none. */
    find: (key: string): Buffer | undefined => objects.get(key)?.bytes,
  };
};

export type Bucket = ReturnType<typeof openBucket>;
