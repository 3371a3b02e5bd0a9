/** Bodies of a rotation that are refused, each with what is wrong. */
export const refusedOverlaps: readonly (readonly [string, object])[] = [
  ['no overlap', {}],
  ['a negative one', { overlapSeconds: -1 }],
  ['more than 7 days', { overlapSeconds: 604_801 }],
  ['a fraction', { overlapSeconds: 1.5 }],
  ['a text', { overlapSeconds: '60' }],
];
