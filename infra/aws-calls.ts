import { type Credentials, openSigner } from '../shared/aws/signature.ts';

/** Part of any client of the SDK. */
interface Client {
  readonly config: { credentials(): Promise<Credentials>; region(): Promise<string> };
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
    const region = await config.region();
    const url = new URL(path, endpoint ?? `https://${host}.${region}.amazonaws.com`);
    const { host: _, ...sent } = await openSigner(service, { region, credentials: config.credentials }).sign({
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host, ...own },
      body,
    });
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
