import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { Fault, type FaultCode, faultCodes } from '../kit/fault.ts';
import { parseJson } from '../kit/json-text.ts';
import type { Contract } from './contract.ts';

export const maximumDepth = 64;

/**
 * Path, query and body as the contract has them.
 * @throws Fault naming every field that failed, joined with `; ` (specification, "Envelope")
 */
export const readRequest = <C extends Contract>(contract: C, event: APIGatewayProxyEventV2) => {
  const path = contract.path.safeParse(event.pathParameters ?? {}, { error: explain });
  const query = contract.query.safeParse(event.queryStringParameters ?? {}, { error: explain });
  const body = contract.body?.safeParse(jsonBody(event, shapeOf(contract.body)), { error: explain });
  const issues = [path, query, body].flatMap((part) => part?.error?.issues ?? []);
  if (issues.length > 0) throw refusal(issues);
  return { path: path.data, query: query.data, body: body?.data };
};

/** A body is an object, but where a whole list is replaced. */
const shapeOf = (body: z.ZodType): 'array' | 'object' => (body.def.type === 'array' ? 'array' : 'object');

const jsonBody = (event: APIGatewayProxyEventV2, shape: 'array' | 'object'): object => {
  const text = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? '');
  if (isDeeperThan(maximumDepth, text)) {
    throw new Fault('invalid_request', `body: must not be nested more than ${maximumDepth} levels deep`);
  }
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && Array.isArray(value) === (shape === 'array')) return value;
  throw new Fault('invalid_request', `body: must be a JSON ${shape}`);
};

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

const steps: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Counted on the text, in one pass, because walking a hostile value afterwards could already exhaust the stack. */
const isDeeperThan = (levels: number, text: string): boolean => {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length && depth <= levels; at += 1) {
    const mark = text.charAt(at);
    if (mark === '\\') at += 1;
    else if (mark === '"') isInString = !isInString;
    else if (!isInString) depth += steps[mark] ?? 0;
  }
  return depth > levels;
};

/** A field that names its own code keeps it, unless another field of the same request is plainly invalid. */
const refusal = (issues: readonly z.core.$ZodIssue[]): Fault => {
  const codes = issues.map(codeOf);
  const code = codes.includes('invalid_request') ? 'invalid_request' : (codes[0] ?? 'invalid_request');
  return new Fault(code, [...new Set(issues.map((issue) => `${fieldOf(issue)}: ${issue.message}`))].join('; '));
};

const codeOf = (issue: z.core.$ZodIssue): FaultCode => {
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return faultCodes.find((code) => code === named) ?? 'invalid_request';
};

const fieldOf = (issue: z.core.$ZodIssue): string => (issue.path.length === 0 ? 'body' : issue.path.join('.'));

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };
const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  object: 'an object',
  record: 'an object',
  int: 'a whole number',
};

/** What is wrong, in words for the person who sent it; the value itself is never repeated. */
const explain: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${articles[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return `must be at most ${issue.maximum} ${units[issue.origin] ?? ''}`.trimEnd();
    case 'too_small':
      return `must be at least ${issue.minimum} ${units[issue.origin] ?? ''}`.trimEnd();
    default:
      return undefined;
  }
};
