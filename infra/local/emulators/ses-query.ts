import { randomUUID } from 'node:crypto';
import { account, region } from '../local-region.ts';
import type { Permissions } from '../permissions.ts';
import type { Access } from '../policy.ts';
import { accessKeyIn } from './aws-caller.ts';
import { AwsError } from './json-service.ts';
import type { Reply, Request } from './local-server.ts';

/** Maps the call's form to the elements of its result. Throws `AwsError` where SES would refuse. */
export type Action = (form: URLSearchParams) => Promise<Result> | Result;

type Result = Readonly<Record<string, string>>;

const namespace = 'xmlns="http://ses.amazonaws.com/doc/2010-12-01/"';

/** Answers SES v1's Query protocol: a form in, XML out. */
export const queryEndpoint =
  (actions: ReadonlyMap<string, Action>, permissions: Permissions) =>
  async ({ body, headers }: Request): Promise<Reply> => {
    const form = new URLSearchParams(await body());
    const action = form.get('Action') ?? '';
    const act = actions.get(action);
    const requestId = elements({ RequestId: randomUUID() });
    try {
      if (!act) throw new AwsError('InvalidAction', `Could not find operation ${action} for version 2010-12-01`);
      const accesses = () => accessesOf(action, form);
      const refusal = permissions.refusalOf(accessKeyIn(headers.authorization), accesses);
      if (refusal) throw new AwsError('AccessDenied', refusal, 403);
      const result = elements(await act(form));
      return xml(
        200,
        `<${action}Response ${namespace}><${action}Result>${result}</${action}Result>` +
          `<ResponseMetadata>${requestId}</ResponseMetadata></${action}Response>`,
      );
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      const { status, code, message } = error;
      const detail = elements({ Type: status < 500 ? 'Sender' : 'Receiver', Code: code, Message: message });
      return xml(status, `<ErrorResponse ${namespace}><Error>${detail}</Error>${requestId}</ErrorResponse>`);
    }
  };

/** Sending requires a permission on the sender's identity, and one on the configuration set. */
const accessesOf = (operation: string, form: URLSearchParams): readonly Access[] => {
  const action = `ses:${operation}`;
  if (!operation.startsWith('Send')) return [{ action, resource: '*' }];
  const arnOf = (resource: string) => `arn:aws:ses:${region}:${account}:${resource}`;
  const source = form.get('Source') ?? '';
  const [, domain = source] = source.replace(/>$/, '').split('@');
  const configurationSet = form.get('ConfigurationSetName');
  return [
    { action, resource: arnOf(`identity/${domain}`) },
    ...(configurationSet === null ? [] : [{ action, resource: arnOf(`configuration-set/${configurationSet}`) }]),
  ];
};

const xml = (status: number, body: string): Reply => ({
  status,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body,
});

const elements = (values: Result) =>
  Object.entries(values)
    .map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
    .join('');

/** XML 1.0 allows no control characters, not even escaped ones. */
const escapeXml = (value: string) =>
  value.replaceAll(/[^\t\n\r -\u{10ffff}]|[<>&]/gu, (character) =>
    character < ' ' ? '' : `&#${character.charCodeAt(0)};`,
  );
