import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { describe, expect, it, onTestFinished } from 'vitest';
import { metrics } from '../../shared/kit/metrics.ts';
import { once } from '../../shared/kit/once.ts';
import { buildFunction } from '../build-function.ts';
import { mapsFile, mapsOutput, readMaps, writeMaps } from '../source-maps.ts';
import { buildStacks } from './all.ts';
import { ApiStack } from './api.ts';
import { DataStack } from './data.ts';
import { FrontStack } from './front.ts';
import { WorkStack } from './work.ts';

const codeOf = () => Code.fromInline('unused');

const stacksWith = (context: Readonly<Record<string, string>>) => {
  const app = new App({ analyticsReporting: false, context });
  const data = new DataStack(app, 'test-data', { isProduction: true });
  const { api, resources } = new ApiStack(app, 'test-api', { stored: data.resources, codeOf });
  const front = new FrontStack(app, 'test-front', { api, resources });
  const some = new Stack(app, 'test-functions');
  buildFunction(some, resources, { does: 'messages/get-message', needs: ['email:know-sender'], code: codeOf() });
  return {
    front: Template.fromStack(front),
    data: Template.fromStack(data),
    functions: Template.fromStack(some),
    resources,
  };
};

/** Without settings, with those that add something, and with others in their place: each is made once, because that takes longer than all that is asked of it. */
const plain = stacksWith({});
const full = stacksWith({
  stage: 'prod',
  DOMAIN_NAME: 'api.example.com',
  HOSTED_ZONE_ID: 'Z1',
  MAIL_DOMAIN: 'example.com',
  PLATFORM_EMAIL: 'no-reply@example.com',
  PEOPLE_EMAIL: 'sign-in@example.com',
  SMS_PROVIDER: 'aws',
  DASHBOARD: 'on',
  TRACES: 'on',
});
const others = stacksWith({
  stage: 'prod',
  DOMAIN_NAME: 'api.example.com',
  PUBLIC_BASE_URL: 'https://www.example.com',
  PLATFORM_EMAIL: 'no-reply@example.com',
  SMS_PROVIDER: 'none',
  DASHBOARD: 'off',
  METRICS: 'off',
});

const recordsIn = (template: Template): string[] =>
  Object.keys(template.findOutputs('*')).filter((id) => /record/.test(id));

describe('the access log', () => {
  const [stage] = Object.values(plain.front.findResources('AWS::ApiGatewayV2::Stage'));
  const line: Record<string, string> = JSON.parse(stage?.['Properties'].AccessLogSettings.Format);

  it('has one line of JSON for each request, with its id, its route and its outcome', () => {
    expect(line).toMatchObject({
      requestId: '$context.requestId',
      route: '$context.routeKey',
      status: '$context.status',
    });
  });

  it('names no path, address or caller, which may contain keys or personal data', () => {
    expect(Object.values(line).join(' ')).not.toMatch(/path|identity|authorizer|sourceIp/);
  });
});

it('the source maps are uploaded with the last stack, and an output says where they are', () => {
  const directory = mkdtempSync(join(tmpdir(), 'maps-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const maps = join(directory, mapsFile);
  writeMaps(maps, { 'messages-send-message': '{}' });
  const app = new App({ analyticsReporting: false, context: { stage: 'prod' } });
  buildStacks(app, codeOf, maps);
  const made = app.node.findAll();
  const [uploaded = expect.fail(), ...others] = made.filter((one) => one instanceof Asset);
  expect([Stack.of(uploaded).stackName, others]).toEqual(['prod-front', []]);
  expect(readMaps(readFileSync(join(app.outdir, uploaded.assetPath)))).toHaveProperty('messages-send-message');
  const outputs = made.filter((one) => one instanceof CfnOutput);
  const output = outputs.find(({ node }) => node.id === mapsOutput) ?? expect.fail();
  expect(Stack.of(output).resolve(output.value)).toEqual({
    'Fn::Sub': expect.stringMatching(`^s3://cdk-.*/${uploaded.assetHash}\\.br$`),
  });
});

describe('a domain of its own', () => {
  it('in our zone has a certificate that is proven there, and records for both kinds of addresses', () => {
    const { front, resources } = full;
    front.hasResourceProperties('AWS::CertificateManager::Certificate', {
      DomainName: 'api.example.com',
      DomainValidationOptions: [{ DomainName: 'api.example.com', HostedZoneId: 'Z1' }],
    });
    const records = Object.values(front.findResources('AWS::Route53::RecordSet')).map(({ Properties }) => Properties);
    expect(records.map(({ Type, HostedZoneId }) => [Type, HostedZoneId])).toEqual([
      ['A', 'Z1'],
      ['AAAA', 'Z1'],
    ]);
    expect(recordsIn(front)).toEqual([]);
    expect(resources.publicBaseUrl).toBe('https://api.example.com');
  });

  it('in another zone has an output that names its record', () => {
    const { front } = others;
    front.resourceCountIs('AWS::Route53::RecordSet', 0);
    expect(recordsIn(front)).toHaveLength(1);
  });

  it('is left to PUBLIC_BASE_URL in links where that is set, and absent without the setting', () => {
    expect(others.resources.publicBaseUrl).toBe('https://www.example.com');
    plain.front.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
  });
});

it('a mail domain is signed and has a return address of its own, and outputs name its six records', () => {
  const { data } = full;
  data.hasResourceProperties('AWS::SES::EmailIdentity', {
    EmailIdentity: 'example.com',
    MailFromAttributes: Match.objectLike({ MailFromDomain: 'bounces.example.com' }),
  });
  expect(recordsIn(data)).toHaveLength(6);
  expect(recordsIn(plain.data)).toEqual([]);
});

it('mails to people come from the address of the platform, unless they have one of their own', () => {
  const PLATFORM_EMAIL = 'no-reply@example.com';
  for (const [{ functions }, PEOPLE_EMAIL] of [
    [others, PLATFORM_EMAIL],
    [full, 'sign-in@example.com'],
  ] as const)
    functions.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ PLATFORM_EMAIL, PEOPLE_EMAIL }) },
    });
});

it('a dashboard is made only where the setting asks for it', () => {
  full.front.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
  others.front.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
});

it('the dashboard of a stage in one region does not have the name of that in another', () => {
  const [dashboard] = Object.values(full.front.findResources('AWS::CloudWatch::Dashboard'));
  expect(JSON.stringify(dashboard?.['Properties'].DashboardName)).toMatch(/test-front-overview-.*AWS::Region/);
});

it('texts have a configuration set only where AWS is the provider of the deployment', () => {
  full.data.resourceCountIs('AWS::SMSVOICE::ConfigurationSet', 1);
  others.data.resourceCountIs('AWS::SMSVOICE::ConfigurationSet', 0);
});

it('X-Ray traces functions where the setting says so, which then may hand in traces and nothing more', () => {
  const tracesIn = ({ functions }: typeof plain) => {
    const [fn] = Object.values(functions.findResources('AWS::Lambda::Function'));
    const policies = JSON.stringify(functions.findResources('AWS::IAM::Policy'));
    return { mode: fn?.['Properties'].TracingConfig?.Mode, powers: policies.match(/xray:\w+/g) };
  };
  expect(tracesIn(plain)).toEqual({ mode: undefined, powers: null });
  const powers = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];
  expect(tracesIn(full)).toEqual({ mode: 'Active', powers });
});

describe('metrics of our own', () => {
  /** The two stacks with alarms. */
  const alarming = once(() => {
    const app = new App({ analyticsReporting: false, context: { METRICS: 'off', stage: 'prod' } });
    const { resources: stored } = new DataStack(app, 'test-data', { isProduction: true });
    const { api, resources } = new ApiStack(app, 'test-api', { stored, codeOf });
    const front = new FrontStack(app, 'test-front', { api, resources });
    const work = new WorkStack(app, 'test-work', { resources, codeOf });
    return { front: Template.fromStack(front), work: Template.fromStack(work) };
  });

  it('are all on the dashboard of the stage, in its namespace', () => {
    const { front } = full;
    const [dashboard] = Object.values(front.findResources('AWS::CloudWatch::Dashboard'));
    const shown = JSON.stringify(dashboard?.['Properties'].DashboardBody);
    for (const name of Object.keys(metrics)) expect(shown).toContain(name);
    expect(shown).toContain('messaging-and-checkout/prod');
  });

  it('are searched for by names in quotes where they have hyphens, as CloudWatch demands', () => {
    const { front } = full;
    const shown = JSON.stringify(Object.values(front.findResources('AWS::CloudWatch::Dashboard')));
    const names = [...shown.matchAll(/SEARCH\('\{([^}]*)\}/g)].flatMap(([, schema = '']) => schema.split(','));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name.replaceAll('\\', '')).toMatch(/^("[^"]+"|[A-Za-z\d/]+)$/);
  });

  it('count refused emails by a filter of the log, which needs no metrics of our own', () => {
    const { front } = others;
    const refused = { MetricName: 'mailRefused', Namespace: 'messaging-and-checkout/prod', Threshold: 1 };
    front.hasResourceProperties('AWS::CloudWatch::Alarm', refused);
    front.hasResourceProperties('AWS::Logs::MetricFilter', { FilterPattern: '{ $.mailRefused IS TRUE }' });
  });

  it.each([
    ['needsPerson', 'payments that are held when a merchant ends their session beside those that a worker holds'],
    ['outOfCredits', 'receipts that no credits cover beside sends that were refused for it'],
    ['textsRefused', 'texts that a provider reports as refused later beside those that it refuses at once'],
  ])('by %s count %s, in one metric of one alarm', (MetricName) => {
    const { front, work } = alarming();
    const counted = { MetricName, MetricNamespace: 'messaging-and-checkout/prod' };
    for (const template of [front, work])
      template.hasResourceProperties('AWS::Logs::MetricFilter', {
        FilterPattern: `{ $.${MetricName} IS TRUE }`,
        MetricTransformations: [Match.objectLike(counted)],
      });
    const rule = { MetricName, Namespace: 'messaging-and-checkout/prod', Threshold: 1 };
    const alarms = [front, work].map((template) =>
      template.findResources('AWS::CloudWatch::Alarm', { Properties: rule }),
    );
    expect(alarms.flatMap((found) => Object.keys(found))).toHaveLength(1);
  });

  it('are logged by functions that have the namespace as a setting, unless they are off', () => {
    const settingsIn = ({ functions }: typeof plain) => {
      const [fn] = Object.values(functions.findResources('AWS::Lambda::Function'));
      return fn?.['Properties'].Environment.Variables;
    };
    expect(settingsIn(plain)).toMatchObject({ METRICS_NAMESPACE: 'messaging-and-checkout/dev' });
    expect(settingsIn(others)).not.toHaveProperty('METRICS_NAMESPACE');
  });
});
