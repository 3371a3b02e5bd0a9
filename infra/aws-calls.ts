import { SignatureV4 } from '@smithy/signature-v4';

type SignerSettings = ConstructorParameters<typeof SignatureV4>[0];

/** Part of any client of the SDK. */
interface Client {
  readonly config: Pick<SignerSettings, 'credentials' | 'sha256'> & { region(): Promise<string> };
}

export interface AwsCall {
  readonly service: string;
  /** The beginning of the host's name, where it is not the service's. */
  readonly host?: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type CallAws = (call: AwsCall) => Promise<Response>;

/**
 * Calls services of AWS without their clients, which are large packages for one call each: signed with the credentials of another client.
 * `endpoint` replaces the hosts of AWS.
 */
export const openAwsCalls =
  ({ config }: Client, endpoint = process.env['AWS_ENDPOINT_URL']): CallAws =>
  async ({ service, host = service, method = 'POST', path = '/', headers: own = {}, body }) => {
    const { credentials, sha256 } = config;
    const region = await config.region();
    const url = new URL(path, endpoint ?? `https://${host}.${region}.amazonaws.com`);
    const { headers } = await new SignatureV4({ service, region, credentials, sha256 }).sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host, ...own },
      body,
    });
    const { host: _, ...sent } = headers;
    return fetch(url, { method, headers: sent, ...(body !== undefined && { body }) });
  };

/** A call of the query protocol: its parameters as a form, its answer XML. */
export const queryCall = (service: string, parameters: Readonly<Record<string, string>>): AwsCall => ({
  service,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(parameters).toString(),
});

/** The texts of all elements with this name. */
export const textsIn = (xml: string, element: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text = '']) => text);
