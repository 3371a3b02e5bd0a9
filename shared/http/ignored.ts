import * as z from 'zod';
import { alsoAbout } from '../kit/log.ts';
import { innerOf } from './left-out.ts';

/** A part of a request, and what its contract knows of it. */
type Part = readonly [schema: z.ZodType | undefined, sent: unknown];

/** Our keys and secrets are longer, and numbers, addresses and texts look different: the log must not show one that stands in the place of a name. */
const identifier = /^[a-z_]\w{0,39}$/i;
const mostNamed = 10;

/**
 * The log of the request says which fields and parameters were ignored, because its contract does not know them: at most ten, without values. One inside
 * another field has its path, written as that of a refused field: `messages.3.scheduled_at`.
 */
export const noteIgnored = (...parts: readonly Part[]): void => {
  const ignored: string[] = [];
  for (const [schema, sent] of parts) findUnknown(schema && knownOf(schema), { sent, place: '' }, ignored);
  if (ignored.length > 0) alsoAbout({ ignored });
};

/** The fields of an object, or what the rows of a list are. Undefined: nothing in it can be unknown. */
type Known = { readonly fields: ReadonlyMap<string, Known> } | { readonly rows: Known } | undefined;

/** What is known of a schema is worked out once: walking the schemas themselves takes a tenth of the time that reading a batch takes. */
const learnt = new WeakMap<z.ZodType, { readonly known: Known }>();

const knownOf = (schema: z.ZodType): Known => {
  const before = learnt.get(schema);
  if (before) return before.known;
  const known = learn(schema);
  learnt.set(schema, { known });
  return known;
};

/** Objects of several kinds or with free names have no one list of names. */
const learn = (schema: z.ZodType): Known => {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
    return schema.def.catchall ? undefined : { fields: new Map(fields.map(([name, field]) => [name, knownOf(field)])) };
  }
  if (schema instanceof z.ZodArray) {
    const rows = knownOf(schema.element as z.ZodType);
    return rows && { rows };
  }
  const inner = innerOf(schema);
  return inner && knownOf(inner);
};

/** `place`: the path to what was sent, ending with a point. The names of an object come before those inside its fields. */
const findUnknown = (
  known: Known,
  { sent, place }: { readonly sent: unknown; readonly place: string },
  found: string[],
): void => {
  if (!known || typeof sent !== 'object' || sent === null || found.length === mostNamed) return;
  if ('rows' in known) {
    const rows: readonly unknown[] = Array.isArray(sent) ? sent : [];
    for (const [n, row] of rows.entries()) findUnknown(known.rows, { sent: row, place: `${place}${n}.` }, found);
    return;
  }
  if (Array.isArray(sent)) return;
  const names = Object.keys(sent);
  for (const name of names)
    if (!known.fields.has(name) && found.length < mostNamed && identifier.test(name)) found.push(place + name);
  for (const name of names) {
    const inner = known.fields.get(name);
    if (inner) findUnknown(inner, { sent: Reflect.get(sent, name), place: `${place}${name}.` }, found);
  }
};
