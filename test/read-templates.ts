import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';

const template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.unknown().optional(), DependsOn: z.array(z.string()).optional() }),
  ),
});

/** All resources of all templates of an assembly, each with its stack and logical id. */
export const readTemplates = (assembly: string) =>
  globSync(join(assembly, '*.template.json')).flatMap((file) =>
    Object.entries(template.parse(JSON.parse(readFileSync(file, 'utf8'))).Resources).map(([id, resource]) => ({
      stack: basename(file, '.template.json'),
      id,
      ...resource,
    })),
  );
