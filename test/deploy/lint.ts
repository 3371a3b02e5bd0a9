import { globSync } from 'node:fs';
import { join } from 'node:path';
import { everySetting, everySettingAtEdge } from '../../infra/settings-fixture.ts';
import { type At, run, synthesize } from './cdk.ts';
import { isInstalled } from './emulator.ts';

/** Releases before it do not know that a dashboard of CloudWatch has tags. */
const leastLint = '1.51.1';

const hasLint = async (at: At): Promise<boolean> => {
  if (!isInstalled('cfn-lint')) return false;
  const [version = ''] = /[\d.]+/.exec(await run(['cfn-lint', '--version'], at)) ?? [];
  return version.localeCompare(leastLint, 'en', { numeric: true }) >= 0;
};

/** Checks the templates of an assembly with what is installed; cfn-lint also those that settings change. */
export const lint = async (assembly: string, logged: (name: string) => At, say: (line: string) => void) => {
  if (await hasLint(logged('lint'))) {
    const templates = [join(assembly, '*.template.json'), ...(await templatesWithEverySetting(logged))];
    // W3005: CDK names dependencies that follow from references too.
    await run(['cfn-lint', '--ignore-checks', 'W3005', '--', ...templates], logged('lint'));
    say('cfn-lint finds nothing in the templates.');
  } else say(`No cfn-lint of ${leastLint} or later is installed, so it does not check the templates.`);
  if (isInstalled('sam')) {
    for (const template of globSync(join(assembly, '*.template.json')))
      await run(['sam', 'validate', '--template', template, '--region', 'us-east-1'], logged('sam'));
    say('sam validate takes all templates.');
  }
};

/** Of the stacks to which settings add resources. */
const templatesWithEverySetting = async (logged: (name: string) => At): Promise<readonly string[]> => {
  const templates: string[] = [];
  for (const [name, settings] of Object.entries({ 'prod-settings': everySetting, 'prod-edge': everySettingAtEdge })) {
    const { env, ...at } = logged(name);
    // The code of the functions is not in the templates.
    const withoutCode = { ...at, env: { ...env, BUNDLES_COME_LATER: 'true' } };
    const assembly = await synthesize('prod', withoutCode, { ...settings, SMS_PROVIDER: 'aws' });
    templates.push(...globSync(join(assembly, 'prod-{data,api,front,firewall}.template.json')));
  }
  return templates;
};
