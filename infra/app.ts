import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundle, codeDirectory, sourcesFile } from './bundle.ts';
import { parts } from './routes.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { RoutesStack } from './stacks/routes.ts';
import { WorkStack } from './stacks/work.ts';

/** `cdk deploy -c stage=prod --all`: every stage is a set of stacks of its own. What is in `prod` is never deleted with its stack. */
const app = new App({ analyticsReporting: false });
const stage = String(app.node.tryGetContext('stage') ?? 'dev');
const bundles = join(app.outdir, 'bundles');
// The local stack brings them along where it has bundled the same sources before.
if (process.env['HAS_BUNDLES'] !== 'true')
  writeFileSync(join(bundles, sourcesFile), JSON.stringify(await bundle(bundles)));
const codeOf = (does: string) => codeDirectory(bundles, does);

const { world: stored } = new DataStack(app, `${stage}-data`, { isProduction: stage === 'prod' });
const { api, world } = new ApiStack(app, `${stage}-api`, { stored, codeOf });
for (const part of parts) new RoutesStack(app, `${stage}-${part}`, { part, api, world, codeOf });
new WorkStack(app, `${stage}-work`, { world, codeOf });

app.synth();
