import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.unknown().optional() })),
});

/** Every resource of every template of an assembly, as it was synthesized. */
export const readTemplates = (assembly: string) =>
  globSync(join(assembly, '*.template.json')).flatMap((file) =>
    Object.values(template.parse(JSON.parse(readFileSync(file, 'utf8'))).Resources),
  );
