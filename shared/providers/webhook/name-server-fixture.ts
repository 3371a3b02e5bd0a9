import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';

const headerBytes = 12;
const typeA = 1;

/** The bytes of the question: the name in length-prefixed parts, then type and class. */
const questionIn = (query: Buffer): Buffer => {
  let end = headerBytes;
  while ((query[end] ?? 0) !== 0) end += 1 + (query[end] ?? 0);
  return query.subarray(headerBytes, end + 5);
};

/** RFC 1035: the query's id, one question, these answers of type A with a TTL of 0. */
const replyTo = (query: Buffer, addresses: readonly string[]): Buffer => {
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
  query.copy(header, 0, 0, 2);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, questionIn(query), ...records]);
};

/** A name server that gives each query the next of these answers, and then repeats the last, as in DNS rebinding. */
export const startNameServer = async (answers: readonly (readonly string[])[]) => {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (query, { port, address }) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    socket.send(replyTo(query, answer), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked: () => asked,
    resolve: async (name: string) => (await resolver.resolve4(name)).map((address) => ({ address, family: 4 })),
    close: (): void => void socket.close(),
  };
};
