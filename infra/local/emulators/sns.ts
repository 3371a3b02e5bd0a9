import { generateKeyPair, type KeyPairKeyObjectResult, randomBytes, randomUUID, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { TopicSpec } from '../blueprint.ts';
import type { Invoke } from '../invocation.ts';
import { serveLocally } from './local-server.ts';

export interface Sns {
  /** Serves the public key of its signatures. */
  readonly url: string;
  /** Sends a signed message to each subscribed function. Rejects when one of them failed. */
  publish(topicArn: string, content: { readonly subject: string; readonly message: string }): Promise<void>;
  close(): Promise<void>;
}

const algorithms = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' } as const;

/** The signed fields of a notification, in SNS's order. */
const signedFields = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const;

/** An SNS with Lambda subscriptions only. Node cannot create certificates, so a bare public key replaces SNS's certificate. */
export const startSns = async ({
  topics,
  invoke,
}: {
  readonly topics: readonly TopicSpec[];
  readonly invoke: Invoke;
}): Promise<Sns> => {
  let made: Promise<KeyPairKeyObjectResult> | undefined;
  /** Made for the first message: most starts need no key, and making it takes 50 ms of processor time. */
  const keys = (): Promise<KeyPairKeyObjectResult> => {
    made ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    return made;
  };
  const keyPath = `/SimpleNotificationService-${randomBytes(16).toString('hex')}.pem`;
  const server = await serveLocally(
    {
      [`GET ${keyPath}`]: async () => ({
        status: 200,
        headers: { 'content-type': 'application/x-pem-file' },
        body: (await keys()).publicKey.export({ type: 'spki', format: 'pem' }),
      }),
    },
    0,
  );
  const url = `http://localhost:${server.port}`;

  const signed = async ({ arn, signatureVersion }: TopicSpec, subject: string, message: string) => {
    const notification = {
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: arn,
      Subject: subject,
      Message: message,
      Timestamp: new Date().toISOString(),
    };
    const text = signedFields.map((field) => `${field}\n${notification[field]}\n`).join('');
    const signature = sign(algorithms[signatureVersion], Buffer.from(text), (await keys()).privateKey);
    return {
      ...notification,
      SignatureVersion: signatureVersion,
      Signature: signature.toString('base64'),
      SigningCertUrl: `${url}${keyPath}`,
      UnsubscribeUrl: `${url}/?Action=Unsubscribe`,
      MessageAttributes: {},
    };
  };

  return {
    url,
    publish: async (topicArn, { subject, message }) => {
      const topic = topics.find(({ arn }) => arn === topicArn);
      if (!topic) throw new Error(`There is no topic ${topicArn}`);
      const notification = await signed(topic, subject, message);
      for (const functionArn of topic.functionArns) {
        const invocation = await invoke(functionArn, eventOf(notification));
        if (!invocation.ok) throw new Error(`${functionArn} did not take the message: ${invocation.errorType}`);
      }
    },
    close: server.close,
  };
};

/** SNS's event for Lambda. */
const eventOf = (notification: { readonly TopicArn: string }) => ({
  Records: [
    {
      EventSource: 'aws:sns',
      EventVersion: '1.0',
      EventSubscriptionArn: `${notification.TopicArn}:${randomUUID()}`,
      Sns: notification,
    },
  ],
});
