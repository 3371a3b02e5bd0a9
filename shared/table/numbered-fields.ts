/** The parts of an update that sets or adds to these fields. They go by number, because a field's name may be a word of DynamoDB's own. */
export const numberedFields = (fields: readonly (readonly [name: string, value: unknown])[]) => ({
  set: fields.map((_, n) => `#f${n} = :v${n}`).join(', '),
  add: fields.map((_, n) => `#f${n} :v${n}`).join(', '),
  names: Object.fromEntries(fields.map(([name], n) => [`#f${n}`, name])),
  values: Object.fromEntries(fields.map(([, value], n) => [`:v${n}`, value])),
});
