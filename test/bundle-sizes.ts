import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../infra/bundle.ts';

const clientOf: Readonly<Record<string, string>> = {
  '@aws-sdk/client-dynamodb': 'DynamoDBClient',
  '@aws-sdk/client-kms': 'KMSClient',
  '@aws-sdk/client-pinpoint-sms-voice-v2': 'PinpointSMSVoiceV2Client',
  '@aws-sdk/client-ses': 'SESClient',
  '@aws-sdk/client-sqs': 'SQSClient',
  '@aws-sdk/client-scheduler': 'SchedulerClient',
};

/** A bundle, and the bundle of the same AWS clients and nothing else, as their authors ship them. */
export interface BundleSize {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly floor: { readonly file: string; readonly bytes: number };
}

/** Bundles every function that uses AWS to this folder, beside its clients alone. */
export const bundleSizes = async (outdir: string): Promise<BundleSize[]> => {
  const { metafile } = await build({ ...bundleOptions(outdir), metafile: true });
  const floors = new Map<string, Promise<BundleSize['floor']>>();
  const sizes = Object.entries(metafile.outputs).map(async ([path, { inputs, bytes }]) => {
    const clients = Object.keys(clientOf).filter((client) =>
      Object.keys(inputs).some((input) => input.includes(`node_modules/${client}/`)),
    );
    if (clients.length === 0) return [];
    const key = clients.join('+');
    const floor = floors.get(key) ?? bundleClients(clients, join(outdir, `floor-${floors.size}.js`));
    floors.set(key, floor);
    const name = basename(path, '.js');
    return [{ name, file: join(outdir, name, `${name}.js`), bytes, floor: await floor }];
  });
  return (await Promise.all(sizes)).flat();
};

const bundleClients = async (clients: readonly string[], file: string): Promise<BundleSize['floor']> => {
  const lines = clients.map(
    (name) => `export { ${clientOf[name]} } from '${name}';
import { ${clientOf[name]} as Made${clientOf[name]} } from '${name}'; new Made${clientOf[name]}();`,
  );
  if (clients.includes('@aws-sdk/client-dynamodb'))
    lines.push("export { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';");
  const { entryPoints, outdir, plugins, ...options } = bundleOptions('.');
  await build({ ...options, stdin: { contents: lines.join('\n'), resolveDir: process.cwd() }, outfile: file });
  return { file, bytes: statSync(file).size };
};
