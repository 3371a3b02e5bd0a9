import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import * as z from 'zod';
import { type SnsMessage, signedText } from './sns-messages.ts';

export const topicArn = 'arn:aws:sns:us-east-1:000000000000:mail';

/** An SNS message without a signature. */
export const notification = {
  Type: 'Notification',
  MessageId: 'm1',
  TopicArn: topicArn,
  Message: 'hello',
  Timestamp: '2026-11-20T12:00:00.000Z',
};

/** A certificate like SNS's, by signature version. Its key signed `notification` and was deleted. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIDGzCCAgOgAwIBAgIUJDuwGK+w1U1UmDA1EnYkvRreG1UwDQYJKoZIhvcNAQEL
BQAwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wIBcNMjYxMTIwMTUxNTIx
WhgPMjEyNjEwMjcxNTE1MjFaMBwxGjAYBgNVBAMMEXNucy5hbWF6b25hd3MuY29t
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtrr0l+/iSe2T8Ng3haDr
tPDh75pcE85qOAOaa+6kWIL6xe7w2jhKL7jtqWnpjMlMNvh/RkUNtO2vxc+uKxWZ
OQ0XNCv5abOMrtPDxKZCkwk7b6z+w0koxXkNLgRxHsX4Kr7q8t9LYnOp2UNbbSeK
hORK0rzdGoKV8x0lWc8UwMF6UHJi5C/b4ZkDhLijxsV4JkGWbrRkRF3ktvbVq/rl
uMHg+e2sq6r8m8gw//dMSTm12NqPKgDSabGSksBEAyaFRgo2/f37IaGmzJ8Z2fw0
zx15bbzMRuVp3NyRmStrLw7ZVeDMuFQIBtj6wLOI9Z85+fkv8ZQl/yU77mur8Y+v
YQIDAQABo1MwUTAdBgNVHQ4EFgQUxBmr7HSrdAoZFUF8ItM/FdjeKdMwHwYDVR0j
BBgwFoAUxBmr7HSrdAoZFUF8ItM/FdjeKdMwDwYDVR0TAQH/BAUwAwEB/zANBgkq
hkiG9w0BAQsFAAOCAQEAUe/cgpsgh01rAHUKpoiDAYabgNwhCqa2QerPG6KZZQOP
vEMVdb+ZiwpaCH/+rDNLsrQhwjbc4GCFafB2IxjcovHyVHJ2VroBFKyRvrLnm+8A
Jqy1gFHZn3nIQ6INECivxNS5x4q1ujXcOjkYBAU5W8OrKSGDphoFKRnMbk4uCsET
J6MyoOUtgJ1ABW0dSXVNhxvZt/wjZ/MLm8iP2tkv8ww6zGHryfROPJMzmRiofSQT
smq1G7hqL1EIh50mXOh7DwdtTmLhl3ifFNWuYIDNupzHC4Blss5w7vIAVI0+eONl
W5pgJVfBebNgrWSIw0pyLGjd4G59x4Aa4V1sDrEguQ==
-----END CERTIFICATE-----
`;
export const certified = {
  '1':
    'tFsJeqMlKNREiPYM29KWl9biu4f4DiLoFlKHUz3rTRndWZIgeSglpJ2ddyRxRZW4IX6L8PYc0QWLILa+13l4dJu6nwQnSesO8IniOjls80jtPZ' +
    'iCOuOeg7Wqpu1OH7L32dK4DU9x9hasO9ufIIAfdBl92zbgYMagXxcEZvl4skTCESFSbOmHAGszLxsewpbkey/YoIYcGXoclXRDGtWkoLYKaIlc' +
    'W3UBsdr/CFrTXfLORm33yqEIBtfVSaJrljX9FLD3ne+XYbdOnQeaeqRULqvM4Aksby5t//yI2JbnJMpiJPgIu1QmuJCeSGmKSHchAmTb3iZxMp' +
    '6JhYdKXbVSWA==',
  '2':
    'CLiYLL5uBgTm2+UvdLcqs+2VXk3vTerDXRidZcfNYwXWAj3r0p3JJoYkM5BRAPof2VNVVaYeAPneMT4lEFqsiRziGZM6F9nKv3iY0lAQLPqy9D' +
    '0iimI967DqmfoqF3sUWNuyoR0TX4amaJf3M7UEH2HbbAIp4xLf5rqyqHgcXpnGD05IrR/iSSlOqGkeBg5Y7mL2QVhrwqoU5KCngrBguHraF4lU' +
    '5vpMls3qQtojv8RJaRRbp0oz1ZnXOlxNnA8O1FHp6I+Dqtaf4I6Dv6g47Y7gjH1MJpIn6imR7kokN4QQiXftFrlFM836MHUMIN2Az0zl9NnMKJ' +
    'n6VoWdbx+yzA==',
};

type Unsigned = Omit<SnsMessage, 'Signature' | 'SignatureVersion' | 'SigningCertUrl'>;

/** An SNS endpoint with its own key and the certificate above. It records its requests. */
export const startSnsEndpoint = async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const files: Readonly<Record<string, string>> = {
    '/key.pem': String(publicKey.export({ type: 'spki', format: 'pem' })),
    '/certificate.pem': certificate,
    '/key.txt': String(publicKey.export({ type: 'spki', format: 'pem' })),
  };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/moved.pem') response.writeHead(302, { location: '/key.pem' }).end();
    else if (path.startsWith('/?Action=ConfirmSubscription')) response.end('<ConfirmSubscriptionResponse/>');
    else response.writeHead(path in files ? 200 : 404).end(files[path]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    asked,
    /** Signed with the endpoint's own key, with any signature version and certificate URL. */
    signed: (message: Unsigned, { version = '2', certUrl = `${origin}/key.pem` } = {}): SnsMessage => {
      const text = signedText({ ...message, SignatureVersion: version, Signature: '', SigningCertUrl: certUrl }) ?? '';
      const signature = sign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256', Buffer.from(text), privateKey);
      return {
        ...message,
        SignatureVersion: version,
        Signature: signature.toString('base64'),
        SigningCertUrl: certUrl,
      };
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
};
