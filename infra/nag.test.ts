import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { once } from '../shared/kit/once.ts';
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

const findings = once(() => findingsWith(everySetting));

it('cdk-nag finds nothing against AWS Solutions but what has a reason, and each reason is still needed', () => {
  const all = [...findings(), ...findingsWith(everySettingAtEdge)];
  const unexplained = all.filter(({ name, path }) => !suppressions.some((one) => isSuppressedBy(one, name, path)));
  expect(unexplained).toEqual([]);
  const spare = suppressions.filter((one) => !all.some(({ name, path }) => isSuppressedBy(one, name, path)));
  expect(spare).toEqual([]);
});

it('traces add no finding but that the permission of X-Ray, which knows no resources, is for all', () => {
  const inText = ({ name, path }: { readonly name: string; readonly path: string }): string => `${path} ${name}`;
  const known = new Set(findings().map(inText));
  const added = findingsWith({ ...everySetting, TRACES: 'on' }).filter((one) => !known.has(inText(one)));
  // A suppression would hide every other permission for all resources.
  expect(new Set(added.map(({ name }) => name))).toEqual(new Set(['AwsSolutions-IAM5[Resource::*]']));
});
