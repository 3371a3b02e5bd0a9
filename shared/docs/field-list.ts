import { type Html, html, joined, prose } from '../kit/html.ts';
import type { Schema } from './document.ts';
import { nameOf } from './schemas.ts';

/** The fields of an object, and of the unnamed objects inside it. */
export const fieldList = ({ properties = {}, required = [] }: Schema): Html =>
  html`<dl>${Object.entries(properties).map(([name, schema]) => field(name, schema, required.includes(name)))}</dl>`;

/** One field or parameter: its name, type and limits, meaning and content. Fields not marked as optional are always present. */
export const field = (name: string, schema: Schema, isRequired: boolean): Html => {
  const facts = [typeOf(schema), ...(isRequired ? [] : [html`optional`]), ...limitsOf(schema)];
  return html`<div><dt><code>${name}</code></dt>
<dd><i>${joined(facts, ', ')}.</i> ${prose(schema.description ?? '')}${objectsIn(schema).map(fieldList)}</dd></div>
`;
};

/** The unnamed objects of a value: itself, each of its items, each of its alternatives. */
export const objectsIn = ({ properties, items, anyOf = [], ...schema }: Schema): Schema[] =>
  properties ? [{ ...schema, properties }] : [...(items ? [items] : []), ...anyOf].flatMap(objectsIn);

const typeOf = ({ $ref, properties, type = 'anything', items, anyOf, format, contentEncoding }: Schema): Html => {
  if ($ref !== undefined) return html`<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (anyOf && !properties) return joined(anyOf.map(typeOf), ' or ');
  if (items) return html`array of ${typeOf(items)}`;
  const kinds = [type].flat().map((kind) => (kind === 'string' ? (format ?? contentEncoding ?? kind) : kind));
  return html`${kinds.join(' or ')}`;
};

const limitsOf = ({ items, ...schema }: Schema): Html[] => {
  const {
    enum: choices,
    const: only,
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    default: usual,
  } = schema;
  return [
    choices && html`one of ${joined(choices.map(codeOf), ', ')}`,
    only !== undefined && html`always ${codeOf(only)}`,
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' character'),
    range(minItems, maxItems, ' item'),
    isEmpty(usual) ? undefined : html`default ${codeOf(usual)}`,
    ...(items ? limitsOf(items).map((limit) => html`each ${limit}`) : []),
  ].filter((limit) => typeof limit === 'object');
};

const codeOf = (value: unknown): Html => html`<code>${String(value)}</code>`;

/** An empty text or object is not worth showing as a default. */
const isEmpty = (usual: unknown): boolean =>
  usual === undefined ||
  usual === '' ||
  (typeof usual === 'object' && usual !== null && Object.keys(usual).length === 0);

const range = (least: number | undefined, most: number | undefined, unit: string): Html | undefined => {
  const of = (count: number) => html`${count}${unit}${unit !== '' && count !== 1 && 's'}`;
  if (most === undefined) return least === undefined ? undefined : html`at least ${of(least)}`;
  return least === undefined ? html`at most ${of(most)}` : html`${least} to ${of(most)}`;
};
