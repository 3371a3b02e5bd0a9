import { index, slimIndex } from './keys.ts';

export type Partition = { readonly PK: string } | { readonly GSI1PK: string } | { readonly GSI2PK: string };

/** Sort keys, both included; with `only`, just these attributes of every item. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly only?: readonly string[];
}

/** A stretch of which those items count whose attributes have these values. The others are read, and paid for, too. */
export interface CountedStretch extends Stretch {
  readonly where?: Readonly<Record<string, string>>;
}

/** What a query of a stretch asks DynamoDB. */
export const questionOf = (partition: Partition, { from, to, only = [], where = {} }: CountedStretch) => {
  const wanted = Object.entries(where);
  const { hash, value, sort, wishes } = placeOf(partition);
  return {
    ...wishes,
    ...(only.length > 0 && { ProjectionExpression: only.map((attribute) => `#${attribute}`).join() }),
    ...(wanted.length > 0 && { FilterExpression: wanted.map(([name]) => `#${name} = :${name}`).join(' AND ') }),
    KeyConditionExpression: '#hash = :hash AND #sort BETWEEN :from AND :to',
    ExpressionAttributeNames: {
      ...Object.fromEntries([...only, ...Object.keys(where)].map((attribute) => [`#${attribute}`, attribute])),
      '#hash': hash,
      '#sort': sort,
    },
    ExpressionAttributeValues: {
      ...Object.fromEntries(wanted.map(([name, is]) => [`:${name}`, is])),
      ':hash': value,
      ':from': from,
      ':to': to,
    },
  };
};

/** Only the table itself can be read consistently. */
const placeOf = (partition: Partition) => {
  if ('GSI1PK' in partition)
    return { hash: 'GSI1PK', value: partition.GSI1PK, sort: 'GSI1SK', wishes: { IndexName: index } };
  if ('GSI2PK' in partition)
    return { hash: 'GSI2PK', value: partition.GSI2PK, sort: 'GSI2SK', wishes: { IndexName: slimIndex } };
  return { hash: 'PK', value: partition.PK, sort: 'SK', wishes: { ConsistentRead: true } };
};
