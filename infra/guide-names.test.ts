import { readdirSync, readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { mistakesIn, settingNames, settingOf } from './settings.ts';
import { synthesized } from './stacks/synthesized-fixture.ts';

const pages = 'shared/docs/pages';
const guides = readdirSync(pages)
  .map((file) => readFileSync(`${pages}/${file}`, 'utf8'))
  .join('\n');

const settings = { stage: 'prod', PLATFORM_EMAIL: 'no-reply@example.com', DOMAIN_NAME: 'api.example.com' };
const templates = [...synthesized(settings)].map(([stackName, template]) => ({
  stackName,
  of: Template.fromJSON(template),
}));

it('guides name outputs as CloudFormation shows them, without hyphens', () => {
  const named = [...guides.matchAll(/\boutput `([^`]+)`/g)].map(([, name = '']) => name);
  const outputs = templates.flatMap(({ of }) => Object.keys(of.findOutputs('*')));
  expect(named).not.toEqual([]);
  expect(outputs).toEqual(expect.arrayContaining(named));
});

it('guides name log groups by the beginning of their names', () => {
  const named = [...guides.matchAll(/whose name begins with `([^`]+)`/g)].map(([, name = '']) => name);
  const logGroups = templates.flatMap(({ stackName, of }) =>
    Object.keys(of.findResources('AWS::Logs::LogGroup')).map((id) => `${stackName}-${id}`),
  );
  expect(named).toHaveLength(2);
  for (const name of named) expect(logGroups.filter((group) => group.startsWith(name))).toHaveLength(1);
});

it('commands of guides that deploy the stage prod have the settings without which it is refused', () => {
  const blocks = [...guides.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block.replaceAll('\\\n', ''));
  const commands = blocks.flatMap((block) => block.split('\n')).filter((line) => /deploy .*-c stage=prod/.test(line));
  expect(commands.length).toBeGreaterThan(3);
  for (const command of commands) {
    const given = [...command.matchAll(/-c (\w+)=(\S+)/g)].map(([, name = '', value]) => [name, value]);
    const mistakes = mistakesIn(Object.fromEntries(given));
    expect(mistakes.filter((mistake) => mistake.includes('is required'))).toEqual([]);
  }
});

it('the page about deployments lists every setting with its default', () => {
  const rows = [...guides.matchAll(/^\| `([A-Z_]+)` \| (?:`(.*?)` )?\| \S/gm)];
  const listed = rows.map(([, name = '', value = '']) => [name, value]);
  expect(listed).toEqual(settingNames.map((name) => [name, settingOf({ tryGetContext: () => undefined }, name)]));
});
