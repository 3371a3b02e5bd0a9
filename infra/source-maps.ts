import { writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The source maps of all bundles of a release, in the output folder of the CDK. */
export const mapsFile = 'source-maps.json.br';

/** The output of the stack `front` that says where the maps of the release are. */
export const mapsOutput = 'sourcemaps';

/** Bundles share most of their modules, so in a window as large as this, a hundred maps take little more than one. */
const settings = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
};

/** Writes maps, which are JSON, by function name. */
export const writeMaps = (file: string, maps: Readonly<Record<string, string>>): void =>
  writeFileSync(file, brotliCompressSync(JSON.stringify(maps), { params: settings }));

/** What `writeMaps` has written. */
export const readMaps = (content: Uint8Array): Readonly<Record<string, string>> =>
  JSON.parse(brotliDecompressSync(content).toString());
