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

/** What the environment must have before AWS can be called. */
export const environmentForAws = 'Set AWS_REGION, and AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';

/** A call never reached AWS. Its message is one line that says what to do. */
export class AwsNotCalled extends Error {
  override readonly name = 'AwsNotCalled';
}

/** Why a call never reached AWS: no region, no credentials, no network. */
export const notCalled = (thrown: unknown): string => {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  return `AWS cannot be called: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')}.`;
};

/**
 * Calls services of AWS without their clients, which are large packages for one call each: signed with the credentials of another client.
 * `endpoint` replaces the hosts of AWS. A call throws an `AwsNotCalled` when it never reached them.
 */
export const openAwsCalls = (client: Client, endpoint = process.env['AWS_ENDPOINT_URL']): CallAws => {
  const call = signedCalls(client, endpoint);
  return (asked) =>
    call(asked).catch((thrown: unknown) => {
      throw new AwsNotCalled(`${notCalled(thrown)} ${environmentForAws}`, { cause: thrown });
    });
};

const signedCalls =
  ({ config }: Client, endpoint: string | undefined): CallAws =>
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
