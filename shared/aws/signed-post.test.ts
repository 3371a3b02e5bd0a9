import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { soon } from '../../test/soon.ts';
import { endpointForFunction, openSignedPost } from './signed-post.ts';

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const asked: Asked[] = [];
const server = createServer(async (request, response) => {
  asked.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
  response.end('{}');
});
beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
afterAll(() => server.close());

const hash = (data: string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** The signature of a request, step by step as AWS describes it: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
const signatureOf = ({ path, headers, body }: Asked, secret: string): string => {
  const [, scope = '', names = ''] =
    /Credential=\w+\/([^,]+), SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = ['POST', path, '', signed.join(''), names, hash(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
};

describe('a call of an AWS service', () => {
  it.each([
    ['dynamodb', '/', 'application/x-amz-json-1.0', '{"TableName":"t"}'],
    ['scheduler', '/schedules/retry-1', 'application/json', '{"Target":{"Input":"{\\"to\\":\\"আদা\\"}"}}'],
    ['ses', '/', 'application/x-www-form-urlencoded; charset=utf-8', 'Action=SendRawEmail&RawMessage.Data=aGk%3D'],
    ['sqs', '/', 'application/x-amz-json-1.0', ''],
  ] as const)('is signed as %s demands, in the name of the function that runs', async (service, path, type, body) => {
    const { port } = server.address() as AddressInfo;
    const variables = {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'KEY1',
      AWS_SECRET_ACCESS_KEY: 'a secret/of+some=kind',
      AWS_SESSION_TOKEN: 'token',
      [`AWS_ENDPOINT_URL_${service.toUpperCase()}`]: `http://127.0.0.1:${port}`,
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const post = openSignedPost(service, endpointForFunction(service));
    for (let n = 0; n < 2; n += 1) await post({ path, headers: { 'content-type': type }, body });
    const [first, second] = asked.slice(-2);
    for (const one of [first, second]) {
      expect(one).toMatchObject({ path, body, headers: { 'x-amz-security-token': 'token', 'content-type': type } });
      const { authorization = '' } = one?.headers ?? {};
      expect(authorization).toMatch(new RegExp(`Credential=KEY1/\\d{8}/eu-central-1/${service}/aws4_request`));
      expect(authorization).toContain('x-amz-security-token');
      expect(authorization.split('Signature=')[1]).toBe(one && signatureOf(one, variables.AWS_SECRET_ACCESS_KEY));
    }
  });

  it.each([
    ['ses', 'https://email.eu-central-1.amazonaws.com'],
    ['logs', 'https://logs.eu-central-1.amazonaws.com'],
    ['sms-voice', 'https://sms-voice.eu-central-1.amazonaws.com'],
  ] as const)('goes to the address of %s in the region, if no variable names another', (service, url) => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'x');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(endpointForFunction(service)).toMatchObject({ url, region: 'eu-central-1' });
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://emulator.example.com');
    expect(endpointForFunction(service)).toMatchObject({ url: 'http://emulator.example.com' });
  });

  it('leaves nothing at the connection that it waited for', async () => {
    const { port } = server.address() as AddressInfo;
    const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
    const endpoint = { url: `http://127.0.0.1:${port}`, region: 'eu-central-1', credentials };
    const post = openSignedPost('dynamodb', endpoint, { withinMs: soon.timeout });
    const warnings: string[] = [];
    const warned = ({ message }: Error) => void warnings.push(message);
    process.on('warning', warned);
    // Node warns of the eleventh listener of a kind, and there are fifty connections.
    await Promise.all(Array.from({ length: 1_000 }, () => post({ headers: {}, body: '{}' })));
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });
});
