import * as z from 'zod';
import { alsoAbout } from '../kit/log.ts';

/** A part of a request, and what its contract knows of it. */
type Part = readonly [schema: z.ZodType | undefined, sent: object];

/** Our keys and secrets are longer, and numbers, addresses and texts look different: the log must not show one that stands in the place of a name. */
const identifier = /^[a-z_]\w{0,39}$/i;
const mostNamed = 10;

/**
 * The log of the request says which fields and parameters were ignored, because its contract does not know them: at most ten names, without values. What
 * is inside a field is not looked at.
 */
export const noteIgnored = (...parts: readonly Part[]): void => {
  const ignored = parts.flatMap(unknownIn).filter((name) => identifier.test(name));
  if (ignored.length > 0) alsoAbout({ ignored: ignored.slice(0, mostNamed) });
};

/** Lists, and objects of several kinds or with free names, have no one list of names. */
const unknownIn = ([schema, sent]: Part): string[] =>
  schema instanceof z.ZodObject && !schema.def.catchall
    ? Object.keys(sent).filter((name) => !Object.hasOwn(schema.shape, name))
    : [];
