import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { isSuppressedBy, suppressions } from './nag-suppressions.ts';
import { buildStacks } from './stacks/all.ts';

/** Everything that settings can add. */
const context = {
  ...z.object({ context: z.record(z.string(), z.unknown()) }).parse(JSON.parse(readFileSync('cdk.json', 'utf8')))
    .context,
  stage: 'prod',
  PLATFORM_EMAIL: 'no-reply@example.com',
  ALARM_EMAIL: 'ops@example.com',
  DOMAIN_NAME: 'api.example.com',
  HOSTED_ZONE_ID: 'Z1',
  MAIL_DOMAIN: 'example.com',
  DASHBOARD: 'on',
};

/** A domain leads either to the API or to CloudFront before it. */
const edge = {
  EDGE_FIREWALL: 'on',
  EDGE_WEB_ACL: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/firewall/0a1b2c3d',
  EDGE_CERTIFICATE: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
};

const findingsWith = (more: Readonly<Record<string, string>>) => {
  const app = new App({ analyticsReporting: false, context: { ...context, ...more } });
  buildStacks(app, () => Code.fromInline('unused'));
  return new AwsSolutionsChecks(app)
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({ name: ruleName, path: constructPath })),
    );
};

it('cdk-nag finds nothing against AWS Solutions but what has a reason, and each reason is still needed', () => {
  const findings = [...findingsWith({}), ...findingsWith(edge)];
  const unexplained = findings.filter(({ name, path }) => !suppressions.some((one) => isSuppressedBy(one, name, path)));
  expect(unexplained).toEqual([]);
  const spare = suppressions.filter((one) => !findings.some(({ name, path }) => isSuppressedBy(one, name, path)));
  expect(spare).toEqual([]);
});
