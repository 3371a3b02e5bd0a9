import { account, region } from './local-region.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly stack: string;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>
  >;
}

/** A resource's local name and attributes. `arn` and `ref` follow CloudFormation's "Return values" of each type. */
interface Identity {
  readonly service: string;
  readonly resource: (name: string) => string;
  readonly isGlobal?: true;
  readonly ref: 'name' | 'arn' | 'url';
}

const identities: Readonly<Record<string, Identity>> = {
  'AWS::DynamoDB::GlobalTable': { service: 'dynamodb', resource: (name) => `table/${name}`, ref: 'name' },
  'AWS::SQS::Queue': { service: 'sqs', resource: (name) => name, ref: 'url' },
  'AWS::Lambda::Function': { service: 'lambda', resource: (name) => `function:${name}`, ref: 'name' },
  'AWS::KMS::Key': { service: 'kms', resource: (name) => `key/${name}`, ref: 'name' },
  'AWS::IAM::Role': { service: 'iam', resource: (name) => `role/${name}`, isGlobal: true, ref: 'name' },
  'AWS::S3::Bucket': { service: 's3', resource: (name) => name, ref: 'name' },
  'AWS::Logs::LogGroup': { service: 'logs', resource: (name) => `log-group:${name}:*`, ref: 'name' },
  'AWS::SNS::Topic': { service: 'sns', resource: (name) => name, ref: 'arn' },
};

const anything: Identity = { service: 'cloudformation', resource: (name) => name, ref: 'name' };

/** A resource's physical name. A function is named after its handler's file, as in logs and commands; a bucket's name has no capitals. */
export const nameOf = (stack: string, logicalId: string, { Type, Properties }: Resource): string => {
  if (Type === 'AWS::Lambda::Function') return String(Properties?.['Handler']).split('.')[0] ?? logicalId;
  const name = `${stack}-${logicalId}`;
  return Type === 'AWS::S3::Bucket' ? name.toLowerCase() : name;
};

const arnOf = (name: string, { service, resource, isGlobal }: Identity): string =>
  service === 's3'
    ? `arn:aws:s3:::${name}`
    : `arn:aws:${service}:${isGlobal ? '' : region}:${account}:${resource(name)}`;

const pseudo: Readonly<Record<string, string>> = {
  'AWS::Region': region,
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::NoValue': '',
};

/** Local addresses, which the templates cannot contain. */
export interface Places {
  queueUrl(name: string): string;
  readonly apiUrl: string;
}

/** What resolved values have in place of the addresses. */
const apiMark = '{{api}}';
const queueMark = (name: string): string => `{{queue ${name}}}`;

/** A resolved value with the addresses in it. */
export const withAddresses = (text: string, { queueUrl, apiUrl }: Places): string =>
  text.replaceAll(apiMark, () => apiUrl).replaceAll(/\{\{queue (.+?)\}\}/g, (_, name: string) => queueUrl(name));

/** Resolvers for the values of each template, which may import what the others export. */
export const resolversFor = (templates: readonly Template[]) => {
  const exported = new Map<unknown, () => unknown>();
  const resolvers = templates.map((template) => ({ template, resolve: resolverFor(template, exported) }));
  for (const { template, resolve } of resolvers) {
    for (const { Export, Value } of Object.values(template.Outputs ?? {}))
      if (Export) exported.set(Export.Name, () => resolve(Value));
  }
  return resolvers;
};

const resolverFor = (template: Template, exported: ReadonlyMap<unknown, () => unknown>) => {
  const attribute = (logicalId: string, name: string): string => {
    const resource = template.Resources[logicalId];
    if (!resource) throw new Error(`${template.stack} refers to ${logicalId}, which it does not have`);
    const identity = identities[resource.Type] ?? anything;
    const physical = nameOf(template.stack, logicalId, resource);
    const known: Readonly<Record<string, () => string>> = {
      Ref: () =>
        identity.ref === 'url' ? queueMark(physical) : identity.ref === 'arn' ? arnOf(physical, identity) : physical,
      Arn: () => arnOf(physical, identity),
      StreamArn: () => `${arnOf(physical, identity)}/stream/latest`,
      QueueName: () => physical,
      TopicArn: () => arnOf(physical, identity),
      ApiEndpoint: () => apiMark,
    };
    return known[name]?.() ?? `${physical}.${name}`;
  };

  const substitute = (text: string, values: Readonly<Record<string, unknown>>): string =>
    text.replace(/\$\{([^!}]+)\}/g, (_, name: string) => {
      if (name in values) return String(resolve(values[name]));
      const [logicalId = '', attributeName = 'Ref'] = name.split('.');
      return pseudo[name] ?? attribute(logicalId, attributeName);
    });

  const imported = (name: unknown): unknown => {
    const value = exported.get(name);
    if (!value) throw new Error(`No stack exports ${String(name)}`);
    return value();
  };

  const functions: Readonly<Record<string, (argument: never) => unknown>> = {
    Ref: (name: string) => pseudo[name] ?? attribute(name, 'Ref'),
    'Fn::GetAtt': ([logicalId, name]: [string, string]) => attribute(logicalId, name),
    'Fn::Join': ([separator, parts]: [string, unknown[]]) => parts.map((part) => String(resolve(part))).join(separator),
    'Fn::Sub': (argument: string | [string, Record<string, unknown>]) =>
      typeof argument === 'string' ? substitute(argument, {}) : substitute(argument[0], argument[1]),
    'Fn::Select': ([position, list]: [number, unknown]) => (resolve(list) as unknown[])[Number(position)],
    'Fn::Split': ([separator, text]: [string, unknown]) => String(resolve(text)).split(separator),
    'Fn::ImportValue': (name: unknown) => imported(resolve(name)),
  };

  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
    const intrinsic = others.length === 0 ? functions[name] : undefined;
    if (intrinsic) return intrinsic(argument as never);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return resolve;
};
