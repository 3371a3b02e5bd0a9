import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, AssetHashType } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { bundle, codeDirectory } from './bundle.ts';
import { currentMistakes } from './check-rows.ts';
import { functionFolders } from './rows.ts';
import { mistakesIn } from './settings.ts';
import { mapsFile } from './source-maps.ts';
import { buildStacks } from './stacks/all.ts';
import { ownCredentials } from './synthesizer.ts';

/** `cdk deploy -c stage=prod --all`: each stage has its own stacks. */
const asked = new App({ analyticsReporting: false, autoSynth: false }).node;
/** The local stack bundles functions on demand. Synthesis then only creates their asset folders. */
const isLocal = process.env['BUNDLES_COME_LATER'] === 'true';
const mistakes = [...mistakesIn(asked.getAllContext(), { isLocal }), ...currentMistakes()];
if (mistakes.length > 0) {
  process.stderr.write(`Error: ${mistakes.join('; ')}\n`);
  process.exit(1);
}
const withOwnCredentials = asked.tryGetContext('synthesizer') === 'cli-credentials';
const app = new App({
  analyticsReporting: false,
  ...(withOwnCredentials && { defaultStackSynthesizer: ownCredentials() }),
});
const bundles = join(app.outdir, 'bundles');
const maps = join(app.outdir, mapsFile);
if (!isLocal) await bundle(bundles, functionFolders, maps);
const codeOf = (does: string): Code => {
  const directory = codeDirectory(bundles, does);
  if (!isLocal) return Code.fromAsset(directory);
  mkdirSync(directory, { recursive: true });
  return Code.fromAsset(directory, { assetHashType: AssetHashType.CUSTOM, assetHash: does });
};

buildStacks(app, codeOf, isLocal ? undefined : maps);
app.synth();
