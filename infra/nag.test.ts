import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { isSuppressedBy, suppressions } from './nag-suppressions.ts';
import { everySetting, everySettingAtEdge } from './settings-fixture.ts';
import { buildStacks } from './stacks/all.ts';

const cdkContext = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync('cdk.json', 'utf8'))).context;

const findingsWith = (settings: Readonly<Record<string, string>>) => {
  const app = new App({ analyticsReporting: false, context: { ...cdkContext, ...settings } });
  buildStacks(app, () => Code.fromInline('unused'));
  return new AwsSolutionsChecks(app)
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({ name: ruleName, path: constructPath })),
    );
};

it('cdk-nag finds nothing against AWS Solutions but what has a reason, each of which is still needed, and with traces that the permission of X-Ray, which knows no resources, is for all', () => {
  const [plain, traced] = [findingsWith(everySetting), findingsWith({ ...everySettingAtEdge, TRACES: 'on' })];
  const unexplainedOf = (findings: typeof plain) =>
    findings.filter(({ name, path }) => !suppressions.some((one) => isSuppressedBy(one, name, path)));
  expect(unexplainedOf(plain)).toEqual([]);
  // A suppression would hide every other permission for all resources.
  const added = unexplainedOf(traced).map(({ name }) => name);
  expect(new Set(added)).toEqual(new Set(['AwsSolutions-IAM5[Resource::*]']));
  const all = [...plain, ...traced];
  const spare = suppressions.filter((one) => !all.some(({ name, path }) => isSuppressedBy(one, name, path)));
  expect(spare).toEqual([]);
});
