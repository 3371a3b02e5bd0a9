import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../infra/bundle.ts';

/** The AWS clients, and what shows in a bundle that it makes their calls: that are made without them. */
const clients = [
  { of: '@aws-sdk/client-dynamodb', client: 'DynamoDBClient', mark: 'DynamoDB_20120810.' },
  { of: '@aws-sdk/client-kms', client: 'KMSClient', mark: 'TrentService.' },
  { of: '@aws-sdk/client-ses', client: 'SESClient', mark: 'SendRawEmail' },
  { of: '@aws-sdk/client-sqs', client: 'SQSClient', mark: 'AmazonSQS.' },
  { of: '@aws-sdk/client-scheduler', client: 'SchedulerClient', mark: '/schedules/' },
] as const;
type Client = (typeof clients)[number];

interface Bundle {
  readonly name: string;
  readonly file: string;
}

/** A bundle, and the bundle of the same AWS clients and nothing else, as their authors ship them. */
export interface BundleSize extends Bundle {
  readonly bytes: number;
  readonly floor: { readonly file: string; readonly bytes: number };
}

/** The sizes of those bundles that use AWS. Bundles their clients alone to this folder. */
export const bundleSizes = async (bundles: readonly Bundle[], outdir: string): Promise<BundleSize[]> => {
  const floors = new Map<string, Promise<BundleSize['floor']>>();
  const sizes = bundles.map(async ({ name, file }) => {
    const text = readFileSync(file, 'utf8');
    const used = clients.filter(({ mark }) => text.includes(mark));
    if (used.length === 0) return [];
    const key = used.map(({ client }) => client).join('+');
    const floor = floors.get(key) ?? bundleClients(used, join(outdir, `floor-${floors.size}.js`));
    floors.set(key, floor);
    return [{ name, file, bytes: statSync(file).size, floor: await floor }];
  });
  return (await Promise.all(sizes)).flat();
};

const bundleClients = async (used: readonly Client[], file: string): Promise<BundleSize['floor']> => {
  const lines = used.map(
    ({ of, client }) => `export { ${client} } from '${of}';
import { ${client} as Made${client} } from '${of}'; new Made${client}();`,
  );
  if (used.some(({ client }) => client === 'DynamoDBClient'))
    lines.push("export { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';");
  const { entryPoints, outdir, plugins, ...options } = bundleOptions('.');
  await build({ ...options, stdin: { contents: lines.join('\n'), resolveDir: process.cwd() }, outfile: file });
  return { file, bytes: statSync(file).size };
};
