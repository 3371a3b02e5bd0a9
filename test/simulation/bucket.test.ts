import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startS3 } from '../../infra/local/emulators/s3.ts';
import { closedAfterTest, temporaryDirectory } from '../../infra/local/emulators-fixture.ts';
import { openBucket } from './bucket.ts';

interface Call {
  readonly method: string;
  /** `{upload}` is the id of the upload that was begun. */
  readonly path: string;
  readonly range?: string;
  readonly body?: string;
}

const completion = (tag: string): string =>
  `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"${tag}"</ETag></Part></CompleteMultipartUpload>`;
const tagOfPart = hash('md5', 'the part');

const calls: readonly Call[] = [
  { method: 'GET', path: 'A/one' },
  { method: 'PUT', path: 'A/one', body: '0123456789' },
  { method: 'HEAD', path: 'A/one' },
  { method: 'GET', path: 'A/one' },
  { method: 'GET', path: 'A/one', range: 'bytes=3-6' },
  { method: 'GET', path: 'A/one', range: 'bytes=8-20' },
  { method: 'GET', path: 'A/one', range: 'bytes=10-20' },
  { method: 'DELETE', path: 'A/one' },
  { method: 'DELETE', path: 'A/one' },
  { method: 'HEAD', path: 'A/one' },
  { method: 'POST', path: 'A/two?uploads=' },
  { method: 'PUT', path: 'A/two?partNumber=1&uploadId={upload}', body: 'the part' },
  { method: 'GET', path: 'A/two' },
  { method: 'POST', path: 'A/two?uploadId={upload}', body: completion('0'.repeat(32)) },
  { method: 'POST', path: 'A/two?uploadId={upload}', body: completion(tagOfPart) },
  { method: 'GET', path: 'A/two' },
  { method: 'POST', path: 'A/two?uploadId={upload}', body: completion(tagOfPart) },
];

interface Answered {
  readonly status: number;
  readonly tag: string | undefined;
  readonly body: string;
}

/** What each call is answered, without what differs at each time. */
const answersOf = async (ask: (call: Call) => Promise<Answered>): Promise<readonly Answered[]> => {
  const answers: Answered[] = [];
  let upload = '';
  for (const { path, ...call } of calls) {
    const { status, tag, body } = await ask({ ...call, path: path.replace('{upload}', upload) });
    upload = /<UploadId>([^<]+)</.exec(body)?.[1] ?? upload;
    const code = /<Code>(\w+)</.exec(body)?.[1];
    // A file of parts has a tag of another form.
    const isWhole = path === 'A/one';
    answers.push({ status, tag: isWhole ? tag : undefined, body: code ?? (body.startsWith('<') ? '' : body) });
  }
  return answers;
};

it('the bucket in memory answers each call as the local S3 does', async () => {
  const buckets = [{ name: 'files', expirations: [] }];
  const s3 = closedAfterTest(await startS3({ dataDirectory: await temporaryDirectory(), buckets }));
  const bucket = openBucket(Date.now);
  const local = await answersOf(async ({ method, path, range, body }) => {
    const headers: Record<string, string> = range === undefined ? {} : { range };
    const answer = await fetch(`${s3.url}/files/${path}`, { method, headers, ...(body !== undefined && { body }) });
    return { status: answer.status, tag: answer.headers.get('etag') ?? undefined, body: await answer.text() };
  });
  const inMemory = await answersOf(async ({ method, path, range, body = '' }) => {
    const url = new URL(`https://files.example.com/${path}`);
    const headers: Record<string, string> = range === undefined ? {} : { range };
    const answer = bucket.answer({ method, url, headers, body: Buffer.from(body) }, () => 'upload');
    return { status: answer.status, tag: answer.headers['etag'], body: String(answer.body) };
  });
  const withoutBodyOfHead = ({ body, ...answer }: Answered, n: number) =>
    calls[n]?.method === 'HEAD' ? answer : { ...answer, body };
  expect(inMemory.map(withoutBodyOfHead)).toEqual(local.map(withoutBodyOfHead));
  expect(inMemory.at(-2)).toMatchObject({ status: 200, body: 'the part' });
});
