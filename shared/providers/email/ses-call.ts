import { type AwsEndpoint, openSignedPost } from '../../aws/signed-post.ts';

export interface RawMail {
  readonly source: string;
  readonly destination: string;
  readonly raw: Buffer;
  readonly configurationSet: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/** Why SES did not take a mail, with the name that AWS gives it. */
class SesError extends Error {
  readonly $metadata: { readonly httpStatusCode: number; readonly requestId: string | undefined };

  constructor(status: number, xml: string) {
    super(textIn(xml, 'Message') ?? `SES answered ${status}`);
    this.name = textIn(xml, 'Code') ?? 'Error';
    this.$metadata = { httpStatusCode: status, requestId: textIn(xml, 'RequestId') };
  }
}

/** SES's `SendRawEmail`. Gives the id of the mail, if the answer has one. */
export const openSesCall = (endpoint: AwsEndpoint) => {
  // The caller's signal gives up earlier.
  const post = openSignedPost('ses', endpoint, { isKept: false, withinMs: 25_000 });
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

  return async (mail: RawMail, signal: AbortSignal): Promise<string | undefined> => {
    const { status, text } = await post({ headers, body: formOf(mail), signal });
    if (status >= 300) throw new SesError(status, text);
    return textIn(text, 'MessageId');
  };
};

export type SesCall = ReturnType<typeof openSesCall>;

const formOf = ({ source, destination, raw, configurationSet, tags }: RawMail): string => {
  const form = new URLSearchParams({
    Action: 'SendRawEmail',
    Version: '2010-12-01',
    Source: source,
    'Destinations.member.1': destination,
    ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
  });
  for (const [n, [name, value]] of Object.entries(tags).entries()) {
    form.set(`Tags.member.${n + 1}.Name`, name);
    form.set(`Tags.member.${n + 1}.Value`, value);
  }
  // A mail may have megabytes: of base64, only three characters need encoding.
  const data = raw.toString('base64').replaceAll('+', '%2B').replaceAll('/', '%2F').replaceAll('=', '%3D');
  return `${form}&RawMessage.Data=${data}`;
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

const textIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`)
    .exec(xml)?.[1]
    ?.replaceAll(/&(amp|lt|gt|quot);/g, (_, entity: string) => entities[entity] ?? '');
