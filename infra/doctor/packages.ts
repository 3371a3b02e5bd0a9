import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), optional: z.boolean().default(false) })),
});

const packagesIn = (file: string) => lockSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).packages;

/** The packages of a checkout that are missing or have another version than `package-lock.json` says. npm leaves out optional ones of other systems. */
export const differencesOfPackages = (checkout: string): readonly string[] => {
  const installedFile = join(checkout, 'node_modules', '.package-lock.json');
  const installed = existsSync(installedFile) ? packagesIn(installedFile) : {};
  return Object.entries(packagesIn(join(checkout, 'package-lock.json')))
    .filter(([path]) => path !== '')
    .flatMap(([path, { version, optional }]) => {
      const has = installed[path]?.version;
      if (has === version || (has === undefined && optional)) return [];
      return [`${path.replace(/^.*node_modules\//, '')} (${has ?? 'missing'} instead of ${version})`];
    });
};
