import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, AssetHashType, Tags } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundle, codeDirectory } from './bundle.ts';
import { currentMistakes } from './check-rows.ts';
import { decideRetention } from './retention.ts';
import { parts } from './routes.ts';
import { mistakesIn } from './settings.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { FrontStack } from './stacks/front.ts';
import { RoutesStack } from './stacks/routes.ts';
import { WorkStack } from './stacks/work.ts';
import { ownCredentials } from './synthesizer.ts';

/** `cdk deploy -c stage=prod --all`: each stage has its own stacks. What `prod` stores is retained when its stacks are deleted. */
const asked = new App({ analyticsReporting: false, autoSynth: false }).node;
const mistakes = [...mistakesIn(asked.getAllContext()), ...currentMistakes()];
if (mistakes.length > 0) {
  process.stderr.write(`Error: ${mistakes.join('; ')}\n`);
  process.exit(1);
}
const withOwnCredentials = asked.tryGetContext('synthesizer') === 'cli-credentials';
const app = new App({
  analyticsReporting: false,
  ...(withOwnCredentials && { defaultStackSynthesizer: ownCredentials() }),
});
const stage = String(app.node.tryGetContext('stage') ?? 'dev');
const bundles = join(app.outdir, 'bundles');
/** The local stack bundles functions on demand. Synthesis then only creates their asset folders. */
const isFilledLater = process.env['BUNDLES_COME_LATER'] === 'true';
if (!isFilledLater) await bundle(bundles);
const codeOf = (does: string): Code => {
  const directory = codeDirectory(bundles, does);
  if (!isFilledLater) return Code.fromAsset(directory);
  mkdirSync(directory, { recursive: true });
  return Code.fromAsset(directory, { assetHashType: AssetHashType.CUSTOM, assetHash: does });
};

const isProduction = stage === 'prod';
decideRetention(app, { isProduction });
Tags.of(app).add('application', 'messaging-and-checkout');
Tags.of(app).add('stage', stage);
const { resources: stored } = new DataStack(app, `${stage}-data`, { isProduction });
const { api, resources } = new ApiStack(app, `${stage}-api`, { stored, codeOf });
const routeStacks = parts.map((part) => new RoutesStack(app, `${stage}-${part}`, { part, api, resources, codeOf }));
const front = new FrontStack(app, `${stage}-front`, { api, resources });
for (const routes of routeStacks) front.addStackDependency(routes);
new WorkStack(app, `${stage}-work`, { resources, codeOf });

app.synth();
