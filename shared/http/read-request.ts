import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { Fault, type FaultCode, faultCodes } from '../kit/fault.ts';
import {
  hasLoneSurrogate,
  hasMoreValuesThan,
  isDeeperThan,
  maximumDepth,
  mostValues,
  noLoneSurrogate,
} from '../kit/json-limits.ts';
import { parseJson } from '../kit/json-text.ts';
import type { Contract } from './contract.ts';
import { bodyText, isPercentEncodedUtf8, loneSurrogateIn } from './encoded-text.ts';
import { noteIgnored } from './ignored.ts';
import { leaveOutNulls } from './left-out.ts';

/**
 * Path, query and body, validated by the contract.
 * @throws Fault naming every failed field, joined with `; ` (messaging specification, "Envelope")
 */
export const readRequest = <C extends Contract>(contract: C, event: APIGatewayProxyEventV2) => {
  if (refusesInput(contract) && !isPercentEncodedUtf8(event.rawQueryString))
    throw invalid('query: must be percent-encoded UTF-8');
  const path = contract.path.safeParse(event.pathParameters ?? {}, { error: explain });
  const parameters = event.queryStringParameters ?? {};
  const query = contract.query.safeParse(parameters, { error: explain });
  const sent = contract.body ? jsonBody(event, contract.body) : {};
  const body = contract.body?.safeParse(sent, { error: explain });
  noteIgnored([contract.query, parameters], [contract.body, sent]);
  const issues = [path, query, body].flatMap((part) => part?.error?.issues ?? []);
  if (issues.length > 0) throw refusal(issues);
  return { path: path.data, query: query.data, body: body?.data };
};

/** An endpoint that refuses no input ignores what it cannot read of a query, as it ignores unknown parameters. */
const refusesInput = ({ refuses }: Contract): boolean =>
  refuses.some((code) => code === 'invalid_request' || code === 'bad_request');

const invalid = (message: string): Fault => new Fault('invalid_request', message);

/** Parses a body's JSON, with the checks that all endpoints share. */
const jsonBody = (event: APIGatewayProxyEventV2, schema: z.ZodType): object => {
  // A body is an object, except where an endpoint replaces a whole list.
  const shape = schema.def.type === 'array' ? 'array' : 'object';
  const encoding = event.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity') throw invalid('body: must not be compressed; send it without Content-Encoding');
  const text = bodyText(event);
  if (text === undefined) throw invalid('body: must be valid UTF-8');
  if (text.trim() === '') throw invalid(`body: is required, as a JSON ${shape}`);
  if (isDeeperThan(maximumDepth, text)) throw invalid(`body: must not be nested more than ${maximumDepth} levels deep`);
  if (hasMoreValuesThan(mostValues, text)) throw invalid(`body: must have at most ${mostValues} values`);
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (shape === 'array'))
    throw invalid(`body: must be a JSON ${shape}, not ${kindOf(value)}`);
  if (hasLoneSurrogate(text)) throw invalid(`${placeOfLoneSurrogate(value)}: ${noLoneSurrogate}`);
  leaveOutNulls(schema, value);
  return value;
};

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    throw invalid('body: is not valid JSON');
  }
};

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`.replace('a object', 'an object');
};

/** Only the last value of a repeated name is parsed, so an error in another one is reported at the body. */
const placeOfLoneSurrogate = (value: unknown): string => nameOf(loneSurrogateIn(value) ?? []) || 'body';

/** No field has a longer name: it is not shown, nor what is in it. */
const longestName = 100;

const nameOf = (path: readonly PropertyKey[]): string => {
  const end = path.findIndex((part) => String(part).length > longestName);
  return (end < 0 ? path : path.slice(0, end)).join('.');
};

/** A list may have more faults than an answer takes, and so may the lists of a thousand rows. */
const mostNamed = 100;

/** Names every failed field, or the first hundred faults of more. `whole`: the name of what is at fault where no field is. */
export const whatFailed = (issues: readonly z.core.$ZodIssue[], whole = 'body'): string => {
  const shown = issues.filter((issue, n) => !isWider(issue, issues[n + 1]));
  const named = new Set<string>();
  let unnamed = 0;
  for (const issue of shown) {
    if (named.size < mostNamed) named.add(`${nameOf(placeOf(issue)) || whole}: ${issue.message}`);
    else unnamed += 1;
  }
  return [...named, ...(unnamed > 0 ? [`${unnamed} more`] : [])].join('; ');
};

/** A number beyond the safe integers also breaks the field's own limit, which comes next: only that one helps the caller. */
const isWider = (issue: z.core.$ZodIssue, next: z.core.$ZodIssue | undefined): boolean =>
  (issue.code === 'too_big' || issue.code === 'too_small') &&
  issue.code === next?.code &&
  nameOf(issue.path) === nameOf(next.path);

/** A name that is not allowed is not shown: it may be a secret that stands in the wrong place. */
const placeOf = ({ code, path }: z.core.$ZodIssue): readonly PropertyKey[] =>
  code === 'invalid_key' ? path.slice(0, -1) : path;

/** The fault of what a schema refuses. A field that names its own code keeps it, unless another field of the same request is invalid. */
export const refusal = (issues: readonly z.core.$ZodIssue[]): Fault => {
  const codes = issues.map(codeOf);
  const code = codes.includes('invalid_request') ? 'invalid_request' : (codes[0] ?? 'invalid_request');
  return new Fault(code, whatFailed(issues));
};

const codeOf = (issue: z.core.$ZodIssue): FaultCode => {
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return faultCodes.find((code) => code === named) ?? 'invalid_request';
};

const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  object: 'an object',
  record: 'an object',
  int: 'a whole number',
};

/** The error message for the caller; it never contains the value. */
const explain: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${articles[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_key':
      return `has a name that is not allowed: it ${issue.issues[0]?.message}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of ${issue.values.join(', ')}`;
    case 'invalid_union':
      return unionFault(issue);
    case 'too_big':
      return issue.origin === 'array'
        ? `must have at most ${counted(issue.maximum, 'item')}`
        : `must be at most ${issue.origin === 'string' ? counted(issue.maximum, 'character') : issue.maximum}`;
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum);
    default:
      return undefined;
  }
};

/** Of objects of several kinds, none of which the field that says the kind names. */
const unionFault = (issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string | undefined => {
  if (!('options' in issue && Array.isArray(issue.options))) return undefined;
  const kind = Object.entries(issue.input ?? {}).find(([name]) => name === issue.discriminator);
  return kind ? `must be one of ${issue.options.join(', ')}` : 'is required';
};

const tooSmall = (origin: string, minimum: number | bigint): string => {
  if (origin === 'array')
    return `at least ${counted(minimum, 'item')} ${Number(minimum) === 1 ? 'is' : 'are'} required`;
  if (origin === 'string' && Number(minimum) === 1) return 'must not be empty';
  return `must be at least ${origin === 'string' ? counted(minimum, 'character') : minimum}`;
};

const counted = (count: number | bigint, unit: string): string => `${count} ${unit}${Number(count) === 1 ? '' : 's'}`;
