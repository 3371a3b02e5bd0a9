import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KMSClient } from '@aws-sdk/client-kms';
import { openAwsCalls } from '../aws-calls.ts';
import { bundle } from '../bundle.ts';
import { StartFailure } from '../local/start-failure.ts';
import { openOutputs } from '../operators/deployment.ts';
import { functionFolders, functionName } from '../rows.ts';
import { mapsFile, mapsOutput, readMaps } from '../source-maps.ts';
import type { FindMap } from './trace.ts';

const findIn = (content: Uint8Array): FindMap => {
  const texts = new Map(Object.entries(readMaps(content)));
  const maps = new Map<string, SourceMap>();
  return (name) => {
    const text = texts.get(name);
    if (text !== undefined && !maps.has(name)) maps.set(name, new SourceMap(JSON.parse(text)));
    return maps.get(name);
  };
};

/**
 * The maps in a file.
 * @throws StartFailure when there is no such file, or it has no maps
 */
export const storedMaps = (file: string): FindMap => {
  if (!existsSync(file)) throw new StartFailure(`There is no file ${file}.`);
  try {
    return findIn(readFileSync(file));
  } catch {
    throw new StartFailure(`${file} has no source maps. A deployment leaves them in cdk.out/${mapsFile}.`);
  }
};

/**
 * The maps of the release that a stage has, reached with the credentials and region of the environment.
 * @throws StartFailure when the stage is not deployed there, or the caller may not read its maps
 */
export const deployedMaps = async (stage: string): Promise<FindMap> => {
  // For its credentials and region, which it finds wherever the AWS CLI keeps them.
  const client = new KMSClient();
  const place = (await openOutputs(`${stage}-front`, client))(mapsOutput);
  const path = place.replace('s3:/', '');
  const answer = await openAwsCalls(client)({ service: 's3', method: 'GET', path });
  if (!answer.ok) throw new StartFailure(`The source maps cannot be read: ${place} is answered with ${answer.status}.`);
  return findIn(new Uint8Array(await answer.arrayBuffer()));
};

/** The maps of these functions, made of the sources that are checked out. */
export const builtMaps = async (names: readonly string[]): Promise<FindMap> => {
  const folder = mkdtempSync(join(tmpdir(), 'maps-'));
  try {
    const folders = functionFolders.filter((does) => names.includes(functionName(does)));
    await bundle(join(folder, 'bundles'), folders, join(folder, mapsFile));
    return storedMaps(join(folder, mapsFile));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
