import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundle } from './bundle.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { WorkStack } from './stacks/work.ts';

/** `cdk deploy -c stage=prod --all`: every stage is a set of stacks of its own. What is in `prod` is never deleted with its stack. */
const app = new App({ analyticsReporting: false });
const stage = String(app.node.tryGetContext('stage') ?? 'dev');
const codeOf = bundle(join(app.outdir, 'bundles'));

const { world } = new DataStack(app, `${stage}-data`, { isProduction: stage === 'prod' });
new ApiStack(app, `${stage}-api`, { world, codeOf });
new WorkStack(app, `${stage}-work`, { world, codeOf });

app.synth();
