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

it('cdk-nag finds nothing against AWS Solutions but what has a reason, and each reason is still needed', () => {
  const app = new App({ analyticsReporting: false, context });
  buildStacks(app, () => Code.fromInline('unused'));
  const findings = new AwsSolutionsChecks(app)
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({ name: ruleName, path: constructPath })),
    );
  const unexplained = findings.filter(({ name, path }) => !suppressions.some((one) => isSuppressedBy(one, name, path)));
  expect(unexplained).toEqual([]);
  const spare = suppressions.filter((one) => !findings.some(({ name, path }) => isSuppressedBy(one, name, path)));
  expect(spare).toEqual([]);
});
