import type { TableSpec } from '../blueprint.ts';
import type { Access } from '../policy.ts';
import { type Part, partsOf, questionIn, textOf } from './dynamodb-parts.ts';

const expressions = [
  'ProjectionExpression',
  'ConditionExpression',
  'UpdateExpression',
  'KeyConditionExpression',
  'FilterExpression',
];
const keywords = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE']);
/** A name at the top of a path, and no function or placeholder of a value. */
const topLevelName = /(?<![\w#:.])#?[A-Za-z_]\w*(?![\w(]|\s*\()/g;

/** The top-level attributes that a call names anywhere. */
const attributesIn = (input: Readonly<Record<string, unknown>>): readonly string[] => {
  const names = Object(input['ExpressionAttributeNames']);
  const texts = expressions.map((field) => input[field] ?? '').join(' ; ');
  const named = [...texts.matchAll(topLevelName)]
    .map(([name]) => name)
    .filter((name) => !keywords.has(name.toUpperCase()))
    .map((name) => String(names[name] ?? name));
  return [...new Set([...Object.keys(Object(input['Item'] ?? input['Key'])), ...named])];
};

/** Condition keys that are one text of the call. */
const singleKeys: Readonly<Record<string, string>> = {
  'dynamodb:Select': 'Select',
  'dynamodb:ReturnValues': 'ReturnValues',
};

/** The permissions that a call requires: of a transaction those of its parts, of a batch one for all its items in a table. */
export const accessesOf = (
  operation: string,
  body: Readonly<Record<string, unknown>>,
  tables: readonly TableSpec[],
): readonly Access[] => {
  const access = (
    action: string,
    { table, index }: { readonly table: string; readonly index?: string | undefined },
    input: Readonly<Record<string, unknown>>,
    leadingKeys: readonly string[] | undefined,
  ): Access => {
    const arn = tables.find(({ name }) => name === table)?.arn ?? table;
    const keys: Readonly<Record<string, () => readonly string[] | undefined>> = {
      'dynamodb:LeadingKeys': () => leadingKeys,
      'dynamodb:Attributes': () => attributesIn(input),
      'dynamodb:EnclosingOperation': () => (operation.startsWith('Transact') ? [operation] : undefined),
    };
    return {
      action: `dynamodb:${action}`,
      resource: index === undefined ? arn : `${arn}/index/${index}`,
      valuesOf: (key) => {
        const single = input[singleKeys[key] ?? ''];
        return keys[key]?.() ?? (typeof single === 'string' ? [single] : undefined);
      },
    };
  };
  const partitionOf = ({ table, key }: Part): string =>
    textOf(key[tables.find(({ name }) => name === table)?.key.partition ?? '']) ?? '';

  if (operation === 'Query') {
    const { table, index, comparedWith } = questionIn(body);
    const spec = tables.find(({ name }) => name === table);
    const key = index === undefined ? spec?.key : spec?.indexes.find(({ name }) => name === index)?.key;
    const partition = comparedWith(key?.partition ?? '');
    return [access('Query', { table, index }, body, partition === undefined ? undefined : [partition])];
  }
  const parts = partsOf(operation, body);
  if (parts.length === 0) return [access(operation, { table: String(body['TableName']) }, body, undefined)];
  if (!operation.startsWith('Batch')) {
    return parts.map((part) => access(part.action, part, part.input, [partitionOf(part)]));
  }
  return [...Map.groupBy(parts, ({ table }) => table)].map(([table, all]) =>
    access(operation, { table }, all[0]?.input ?? {}, all.map(partitionOf)),
  );
};
