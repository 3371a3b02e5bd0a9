import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelRuns } from '../../test/model-runs.ts';
import { dayMs } from '../kit/time-units.ts';
import { openSigner } from './signature.ts';

/** What the SDK's signer computes with. */
class Sha256 {
  readonly #hash;

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

const word = fc.stringMatching(/^[\w.~-]{1,12}$/);
const credentials = fc.record({
  accessKeyId: fc.stringMatching(/^[A-Z0-9]{4,20}$/),
  secretAccessKey: fc.string({ minLength: 1 }),
});
const token = fc.option(word, { nil: undefined });
const request = fc.record({
  service: fc.constantFrom<string>('dynamodb', 'scheduler', 's3'),
  region: fc.constantFrom('eu-central-1', 'us-east-1'),
  nowMs: fc.integer({ min: 0, max: 4e12 }),
  credentials: fc
    .tuple(credentials, token)
    .map(([one, sessionToken]) => (sessionToken === undefined ? one : { ...one, sessionToken })),
  method: fc.constantFrom('GET', 'POST', 'PUT'),
  path: fc.array(word).map((words) => `/${words.filter((one) => !/^\.+$/.test(one)).join('/')}`),
  query: fc.dictionary(fc.stringMatching(/^[a-z][\w.~-]{0,12}$/), fc.string({ unit: 'grapheme' }), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
  headers: fc.dictionary(
    fc.constantFrom('content-type', 'content-length', 'range', 'x-amz-target'),
    fc.stringMatching(/^[\w=;/-]+( [\w=;/-]+)?$/),
    { noNullPrototype: true },
  ),
  body: fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array().map(Buffer.from)),
});

type Case = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

const theirs = ({ service, region, nowMs, method, path, query, headers, body, ...one }: Case) => {
  const hostname = 'aws.example.com';
  return {
    signer: new SignatureV4({
      ...{ service, region, sha256: Sha256, uriEscapePath: service !== 's3' },
      credentials: one.credentials,
    }),
    request: { method, protocol: 'https:', hostname, path, query, headers: { host: hostname, ...headers }, body },
    options: { signingDate: new Date(nowMs) },
  };
};

const ours = ({ service, region, headers, ...one }: Case) => ({
  signer: openSigner(service, { region, credentials: one.credentials }),
  request: { ...one, headers: { host: 'aws.example.com', ...headers } },
});

describe('Signature Version 4', () => {
  it('is, of any request, what the signer of the SDK makes of it', () =>
    fc.assert(
      fc.asyncProperty(request, async (one) => {
        const { signer, request: asked, options } = theirs(one);
        const { headers } = await signer.sign(asked, options);
        const mine = ours(one);
        expect(await mine.signer.sign(mine.request, one.nowMs)).toEqual(headers);
      }),
      { seed: 4, numRuns: modelRuns(100) },
    ));

  it('is, in the query of a file’s URL, what the signer of the SDK puts there', () =>
    fc.assert(
      fc.asyncProperty(request, fc.integer({ min: 1, max: 604_800 }), async (drawn, seconds) => {
        const { 'x-amz-target': _, 'content-type': __, ...headers } = drawn.headers;
        const one = { ...drawn, service: 's3', headers };
        const { signer, request: asked, options } = theirs(one);
        const payload = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
        const unsigned = { ...asked, headers: { ...asked.headers, ...payload }, body: undefined };
        const { query } = await signer.presign(unsigned, { ...options, expiresIn: seconds });
        const mine = ours({ ...one, query: { ...one.query, ...payload } });
        expect(await mine.signer.presign(mine.request, seconds, one.nowMs)).toEqual(query);
      }),
      { seed: 5, numRuns: modelRuns(50) },
    ));

  it('is made with the key of the day, and with new credentials once they are there', async () => {
    let secretAccessKey = 'one';
    const signer = openSigner('sqs', {
      region: 'eu-central-1',
      credentials: async () => ({ accessKeyId: 'KEY', secretAccessKey }),
    });
    const signed = async (nowMs: number): Promise<string> =>
      (await signer.sign({ method: 'POST', path: '/', headers: { host: 'sqs' } }, nowMs))['authorization'] ?? '';
    const first = await signed(0);
    expect(first).toContain('Credential=KEY/19700101/eu-central-1/sqs/aws4_request');
    expect(await signed(dayMs)).toContain('/19700102/');
    expect(await signed(0)).toBe(first);
    secretAccessKey = 'two';
    expect(await signed(0)).not.toBe(first);
  });
});
