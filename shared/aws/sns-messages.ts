import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { InternalError } from '../kit/internal-error.ts';

/** The signed fields, with the names of Lambda's event. */
export interface SnsMessage {
  readonly Type: string;
  readonly MessageId: string;
  readonly TopicArn: string;
  readonly Message: string;
  readonly Timestamp: string;
  readonly SignatureVersion: string;
  readonly Signature: string;
  readonly SigningCertUrl?: string;
  /** Lambda has written this name too. */
  readonly SigningCertURL?: string;
  readonly Subject?: string | null;
  readonly Token?: string;
  readonly SubscribeUrl?: string;
}

const algorithms: ReadonlyMap<string, string> = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
]);

/** The fields that a signature covers, in this order; missing fields are skipped. */
const signedFields: ReadonlyMap<string, readonly (keyof SnsMessage)[]> = new Map([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', ['Message', 'MessageId', 'SubscribeUrl', 'Timestamp', 'Token', 'TopicArn', 'Type']],
]);

/** The signed text of a message. SNS signs `URL` where Lambda writes `Url`. */
export const signedText = (message: SnsMessage): string | undefined =>
  signedFields
    .get(message.Type)
    ?.flatMap((field) => (message[field] == null ? [] : [`${field.replace('Url', 'URL')}\n${message[field]}\n`]))
    .join('');

/** File names without a path: certificates are at the root of the SNS endpoint. */
const certificatePath = /^\/[\w-]+\.pem$/;
const fetchTimeoutMs = 5_000;

/** Verifies one topic's messages: only those signed by SNS count. `origin`: the URL of this region's SNS. */
export const snsMessages = ({ origin, topicArn }: { readonly origin: string; readonly topicArn: string }) => {
  const keys = new Map<string, Promise<KeyObject>>();

  const fetched = async (url: URL): Promise<string> => {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (!response.ok) throw new InternalError('SNS refused a request', { status: response.status });
    return response.text();
  };

  /** Each key is fetched once per warm function. */
  const keyAt = (url: URL): Promise<KeyObject> => {
    const known = keys.get(url.href);
    if (known) return known;
    const key = fetched(url).then(createPublicKey);
    keys.set(url.href, key);
    key.catch(() => keys.delete(url.href));
    return key;
  };

  const atSns = (address: string | undefined): URL | undefined => {
    const url = address === undefined ? null : URL.parse(address);
    return url?.origin === origin && url.username === '' && url.password === '' ? url : undefined;
  };

  return {
    topicArn,

    /** @throws Error when the key cannot be fetched, so that SNS redelivers the message */
    isGenuine: async (message: SnsMessage): Promise<boolean> => {
      const algorithm = algorithms.get(message.SignatureVersion);
      const text = signedText(message);
      const url = atSns(message.SigningCertUrl ?? message.SigningCertURL);
      const isOurs = message.TopicArn === topicArn && url?.search === '' && certificatePath.test(url.pathname);
      if (!isOurs || algorithm === undefined || text === undefined) return false;
      return verify(algorithm, Buffer.from(text), await keyAt(url), Buffer.from(message.Signature, 'base64'));
    },

    /** Confirms a subscription that SNS requests in a genuine message. */
    confirm: async ({ SubscribeUrl }: SnsMessage): Promise<void> => {
      const url = atSns(SubscribeUrl);
      if (url) await fetched(url);
    },
  };
};
