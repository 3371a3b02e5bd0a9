import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { callbacksOfAddress, unsubscribesOfAddress } from '../shared/http/address-limit.ts';
import { kindOf } from './auth.ts';
import { stacksOf } from './doctor/aws-account.ts';
import { type Route, routes } from './routes.ts';
import { mistakesIn } from './settings.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { FirewallStack } from './stacks/firewall.ts';
import { FrontStack } from './stacks/front.ts';
import { built, synthesized, templatesOf } from './stacks/synthesized-fixture.ts';

const webAcl = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/firewall/0a1b2c3d';
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';

const parsed = (templates: ReturnType<typeof synthesized>) =>
  new Map([...templates].map(([name, template]) => [name, Template.fromJSON(template)]));
const atDomain = { DOMAIN_NAME: 'pay.example.com', HOSTED_ZONE_ID: 'Z1' };
const atEdge = { ...atDomain, EDGE_FIREWALL: 'on', EDGE_WEB_ACL: webAcl, EDGE_CERTIFICATE: certificate };
const stage = built(atEdge);
const edged = parsed(templatesOf(stage));
const plain = parsed(synthesized({}));
/** The stacks around those of the functions, which take more than a second to make. */
const outerStacks = (context: Readonly<Record<string, string>>) => {
  const app = new App({ analyticsReporting: false, context: { ...context } });
  const codeOf = () => Code.fromInline('unused');
  const { resources: stored } = new DataStack(app, 'dev-data', { isProduction: false });
  const { api, resources } = new ApiStack(app, 'dev-api', { stored, codeOf });
  return { resources, front: new FrontStack(app, 'dev-front', { api, resources }) };
};
const exportsOf = (templates: ReadonlyMap<string, Template>): readonly string[] =>
  [...templates.values()].flatMap((template) =>
    Object.values(template.findOutputs('*')).flatMap(({ Export }) => Export?.Name ?? []),
  );
const templateOf = (templates: ReadonlyMap<string, Template>, name: string): Template => {
  const template = templates.get(name);
  if (!template) throw new Error(`${name} is missing`);
  return template;
};

const edgeVariables = (template: Template): string[] =>
  Object.values(template.findResources('AWS::Lambda::Function')).flatMap(({ Properties }) =>
    Object.keys(Properties.Environment?.Variables ?? {}).filter((name) => name.startsWith('EDGE_')),
  );

describe('without a web ACL', () => {
  it('nothing is before the API, and no function knows of an edge', () => {
    expect([...plain.keys()]).not.toContain('dev-firewall');
    for (const template of plain.values()) {
      template.resourceCountIs('AWS::CloudFront::Distribution', 0);
      expect(edgeVariables(template)).toEqual([]);
    }
  });
});

it('a stage that gets another address still exports what its deployed stacks import, or CloudFormation would refuse the deployment', () => {
  expect(exportsOf(edged)).toEqual(expect.arrayContaining([...exportsOf(plain)]));
});

describe('with a web ACL', () => {
  it('no template comes near the 60 dynamic references that CloudFormation allows', () => {
    for (const template of edged.values())
      expect(JSON.stringify(template.toJSON()).split('{{resolve:').length - 1).toBeLessThanOrEqual(56);
  });

  it('CloudFront passes everything on to the API, with the key, and keeps nothing', () => {
    const template = templateOf(edged, 'dev-api');
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        WebACLId: webAcl,
        Origins: [
          Match.objectLike({
            CustomOriginConfig: Match.objectLike({ OriginProtocolPolicy: 'https-only' }),
            OriginCustomHeaders: [Match.objectLike({ HeaderName: 'X-Origin-Key' })],
          }),
        ],
        DefaultCacheBehavior: Match.objectLike({
          AllowedMethods: Match.arrayWith(['PUT', 'PATCH', 'POST', 'DELETE']),
          CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
          OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
          ViewerProtocolPolicy: 'https-only',
        }),
      }),
    });
    template.resourceCountIs('AWS::SecretsManager::Secret', 1);
  });

  it('CloudFront keeps no error either, because one caller’s 404 or 503 would be the answer to others', () => {
    templateOf(edged, 'dev-api').hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        CustomErrorResponses: [404, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({
          ErrorCode,
          ErrorCachingMinTTL: 0,
        })),
      }),
    });
  });

  it('every function that answers requests knows its key, and no worker does', () => {
    for (const [name, template] of edged) {
      const answering = Object.keys(template.findResources('AWS::ApiGatewayV2::Integration')).length;
      expect(edgeVariables(template), name).toHaveLength(3 * answering);
    }
  });

  it('links begin with the address of CloudFront, or with the domain that leads there', () => {
    const { front, resources } = outerStacks({ EDGE_WEB_ACL: webAcl });
    expect(JSON.stringify(front.resolve(resources.publicBaseUrl))).toMatch(/edge.*DomainName/);
    const functions = templateOf(edged, 'dev-messaging').findResources('AWS::Lambda::Function');
    const linked = Object.values(functions).flatMap(
      ({ Properties }) => Properties.Environment.Variables['PUBLIC_BASE_URL'] ?? [],
    );
    expect(new Set(linked)).toEqual(new Set(['https://pay.example.com']));
    templateOf(edged, 'dev-front').hasResourceProperties('AWS::Route53::RecordSet', {
      Type: 'AAAA',
      AliasTarget: Match.objectLike({ HostedZoneId: 'Z2FDTNDATAQYW2' }),
    });
    templateOf(edged, 'dev-api').hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        Aliases: ['pay.example.com'],
        ViewerCertificate: Match.objectLike({ AcmCertificateArn: certificate }),
      }),
    });
  });
});

it('a domain that led to the API itself is still served there with CloudFront, because its records are known for some time', () => {
  const servedBy = (front: Template) =>
    ['DomainName', 'ApiMapping'].map((kind) => front.findResources(`AWS::ApiGatewayV2::${kind}`));
  const [before, after] = [atDomain, atEdge].map((settings) =>
    servedBy(Template.fromStack(outerStacks(settings).front)),
  );
  expect(before?.map((found) => Object.keys(found).length)).toEqual([1, 1]);
  expect(after).toEqual(before);
});

/** Part of a rule of a web ACL that says which requests it is about. */
interface Scope {
  readonly OrStatement?: { readonly Statements: readonly Scope[] };
  readonly AndStatement?: { readonly Statements: readonly Scope[] };
  readonly NotStatement?: { readonly Statement: Scope };
  readonly ByteMatchStatement?: { readonly SearchString: string };
}

/** Whether a request is meant that has a key, or none. */
const isMeant = (scope: Scope, path: string, hasKey: boolean): boolean => {
  if (scope.OrStatement) return scope.OrStatement.Statements.some((one) => isMeant(one, path, hasKey));
  if (scope.AndStatement) return scope.AndStatement.Statements.every((one) => isMeant(one, path, hasKey));
  if (scope.NotStatement) return !isMeant(scope.NotStatement.Statement, path, hasKey);
  return scope.ByteMatchStatement ? path.startsWith(scope.ByteMatchStatement.SearchString) : hasKey;
};

describe('the firewall', () => {
  const template = Template.fromStack(
    new FirewallStack(new App({ analyticsReporting: false, context: atDomain }), 'dev-firewall'),
  );

  it('is for CloudFront, and its outputs are what the settings take', () => {
    template.hasResourceProperties('AWS::WAFv2::WebACL', { Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } });
    expect(Object.keys(template.findOutputs('*'))).toEqual(['WebAcl', 'CertificateArn']);
  });

  it('refuses nothing for the words of a body, because mails may contain any', () => {
    const [acl] = Object.values(template.findResources('AWS::WAFv2::WebACL'));
    const text = JSON.stringify(acl);
    expect(text).not.toMatch(/CommonRuleSet|XssMatch|SqliMatch|"Body"|JsonBody/);
    expect(
      text.match(/"Name":"\w+_BODY","ActionToUse":\{"Count"|"ActionToUse":\{"Count":\{\}\},"Name":"\w+_BODY"/g),
    ).toHaveLength(3);
  });

  it('limits each address on every path, where the API counts it to what the API permits, or one would use up what all share', () => {
    const [acl] = Object.values(template.findResources('AWS::WAFv2::WebACL'));
    const rules: readonly {
      readonly Statement: { readonly RateBasedStatement?: { Limit: number; ScopeDownStatement: Scope } };
    }[] = acl?.['Properties'].Rules;
    const limits = rules.flatMap(({ Statement }) => Statement.RateBasedStatement ?? []);
    const limitsOf = (key: string, hasKey: boolean): number[] =>
      limits.flatMap(({ Limit, ScopeDownStatement }) =>
        isMeant(ScopeDownStatement, key.split(' ')[1] ?? '', hasKey) ? [Limit] : [],
      );
    for (const key of Object.keys(routes)) {
      for (const hasKey of [true, false]) expect([key, limitsOf(key, hasKey).length]).toEqual([key, 1]);
      if (key.includes(' /callbacks/')) expect(limitsOf(key, false)).toEqual([5 * callbacksOfAddress.perMinute]);
      if (key.includes(' /unsubscribe/')) expect(limitsOf(key, false)).toEqual([5 * unsubscribesOfAddress.perMinute]);
    }
  });

  it('takes a header for a key on the paths that take keys, so that a made-up one opens no page to a flood', () => {
    const text = JSON.stringify(template.findResources('AWS::WAFv2::WebACL'));
    expect(text).toMatch(/"AndStatement":\{"Statements":\[\{"OrStatement":[^[]*\[\{"SizeConstraint/);
    const exempt = [...text.matchAll(/"SearchString":"([^"]+)"/g)].map(([, path = '']) => path);
    const isExempt = (key: string) => exempt.some((path) => key.split(' ')[1]?.startsWith(path));
    const callers = Map.groupBy(Object.entries<Route>(routes), ([, { auth }]) => kindOf(auth));
    const exemptOf = (kind: ReturnType<typeof kindOf>) => callers.get(kind)?.map(([key]) => [key, isExempt(key)]);
    for (const kind of ['apiKey', 'checkoutKey', 'role', 'provider', 'payerToken'] as const)
      expect(exemptOf(kind)).toEqual(callers.get(kind)?.map(([key]) => [key, true]));
    expect(exemptOf('payer')).toEqual(callers.get('payer')?.map(([key]) => [key, false]));
    const pages = callers.get('public')?.map(([key]) => key) ?? [];
    // What CORS asks beforehand, mail services, and descriptions, which have a limit of their own.
    expect(pages.filter((key) => isExempt(key) && !/^OPTIONS|\/unsubscribe\/|openapi/.test(key))).toEqual([]);
  });
});

it('the firewall is deployed before CloudFront and deleted after it, because AWS deletes neither a web ACL nor a certificate in use; the doctor knows it and all other stacks', () => {
  const neededBy = (name: string) =>
    Stack.of(stage.node.findChild(name)).dependencies.map(({ stackName }) => stackName);
  expect(neededBy('dev-api')).toContain('dev-firewall');
  expect(neededBy('dev-firewall')).toEqual([]);
  const made = stage.node.findAll().flatMap((one) => (one instanceof Stack ? [one.stackName] : []));
  expect(stacksOf('dev').toSorted()).toEqual(made.toSorted());
});

it('a domain requires its certificate, and both values are ARNs of us-east-1', () => {
  expect(mistakesIn({ EDGE_WEB_ACL: webAcl, DOMAIN_NAME: 'pay.example.com' })).toEqual([
    expect.stringMatching(/^EDGE_CERTIFICATE: is required/),
  ]);
  expect(mistakesIn({ EDGE_WEB_ACL: webAcl.replace('us-east-1', 'eu-west-1') })).toHaveLength(1);
  expect(mistakesIn({ EDGE_ONLY: 'on' })).toEqual([expect.stringMatching(/^EDGE_ONLY: is of no use/)]);
  expect(mistakesIn({ EDGE_CERTIFICATE: certificate.replace('us-east-1', 'eu-west-1') })).toHaveLength(1);
  expect(mistakesIn({ EDGE_WEB_ACL: webAcl, EDGE_CERTIFICATE: certificate, DOMAIN_NAME: 'pay.example.com' })).toEqual(
    [],
  );
});
