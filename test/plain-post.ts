import { connect, type Socket } from 'node:net';
import type { Answer, SignedPost } from '../shared/aws/signed-post.ts';
import { assertInTime } from '../shared/kit/time-limit.ts';

/** The emulator of DynamoDB wants a signature and does not check it. */
const signed = [
  'x-amz-date: 20260101T000000Z',
  'authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
];

const endOfHead = Buffer.from('\r\n\r\n');

/** The answer that these bytes are, which has its length in its head; nothing while some are missing. */
const answerIn = (bytes: Buffer): Answer | undefined => {
  const headLength = bytes.indexOf(endOfHead);
  if (headLength < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, headLength).split('\r\n');
  const headers: Answer['headers'] = Object.fromEntries(lines.map((line) => line.split(': ', 2)));
  const body = bytes.subarray(headLength + endOfHead.length);
  if (body.length < Number(headers['content-length'])) return undefined;
  return { status: Number(first.split(' ')[1]), headers, text: body.toString() };
};

const nextAnswer = (socket: Socket): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const answer = answerIn(bytes);
      if (!answer) return;
      socket.off('data', read).off('close', fail);
      resolve(answer);
    };
    const fail = (): void => reject(new Error('the emulator of DynamoDB closed the connection'));
    socket.on('data', read).on('close', fail);
  });

/**
 * Posts to the emulator of DynamoDB, of which `openSignedPost` takes two thirds of the processor time with its signature and Node's HTTP
 * client: the tests make a hundred thousand calls. A connection serves one call at a time, and none is repeated.
 */
export const openPlainPost = (url: string): SignedPost => {
  const { hostname, port, host } = new URL(url);
  const idle: Socket[] = [];
  return async ({ path = '/', headers, body }) => {
    assertInTime();
    const socket = idle.pop() ?? connect({ host: hostname, port: Number(port), noDelay: true });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = [`POST ${path} HTTP/1.1`, `host: ${host}`, ...lines, ...signed];
    socket.ref().write(`${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    const answer = await nextAnswer(socket);
    idle.push(socket.unref());
    return answer;
  };
};
