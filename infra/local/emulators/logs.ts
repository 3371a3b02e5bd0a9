import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { jsonIn } from '../../../shared/kit/json-in.ts';
import type { FunctionSpec } from '../blueprint.ts';
import { account, region } from '../local-region.ts';
import { noPermissions, type Permissions } from '../permissions.ts';
import { dateAheadMs } from '../shifted-date.ts';
import { accessKeyIn } from './aws-caller.ts';
import { AwsError, serveJson } from './json-service.ts';

interface LogsOptions {
  /** The functions' output, one file each. */
  readonly logDirectory: string;
  readonly functions: readonly Pick<FunctionSpec, 'name' | 'logGroup'>[];
  readonly permissions?: Permissions;
}

/** The lines of a file that are searched: the last ones in so many bytes. */
const mostBytes = 8 * 1024 * 1024;

const request = z.object({
  logGroupName: z.string(),
  filterPattern: z.string().max(1_024).default(''),
  startTime: z.int().min(0).default(0),
  endTime: z.int().min(0).default(Number.MAX_SAFE_INTEGER),
  limit: z.int().min(1).max(10_000).default(10_000),
  nextToken: z.string().regex(/^\d+$/).transform(Number).optional(),
});

const line = z.looseObject({ timestamp: z.iso.datetime() });

/** CloudWatch Logs with the one call `FilterLogEvents`, on what the functions have written. */
export const startLogs = ({ logDirectory, functions, permissions = noPermissions }: LogsOptions) =>
  serveJson(({ headers, body }) => {
    const operation = String(headers['x-amz-target']).replace('Logs_20140328.', '');
    if (operation !== 'FilterLogEvents')
      throw new AwsError('UnknownOperationException', `The local CloudWatch Logs has no operation ${operation}.`);
    const { logGroupName, filterPattern, startTime, endTime, limit, nextToken = 0 } = request.parse(body);
    const resource = `arn:aws:logs:${region}:${account}:log-group:${logGroupName}:*`;
    const refusal = permissions.refusalOf(accessKeyIn(headers.authorization), () => [
      { action: 'logs:FilterLogEvents', resource },
    ]);
    if (refusal) throw new AwsError('AccessDeniedException', refusal);
    const writers = functions.filter(({ logGroup }) => logGroup === logGroupName);
    if (writers.length === 0)
      throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
    const { fits, words } = filterOf(filterPattern);
    const events = writers
      .flatMap(({ name }) =>
        lastLines(join(logDirectory, `${name}.log`), startTime).flatMap((message) => {
          if (!words.every((word) => message.includes(word))) return [];
          const { data } = line.safeParse(jsonIn(message));
          const timestamp = Date.parse(data?.timestamp ?? '');
          const isWanted = data && timestamp >= startTime && timestamp <= endTime && fits(data);
          return isWanted ? [{ logStreamName: name, timestamp, message }] : [];
        }),
      )
      .toSorted((a, b) => a.timestamp - b.timestamp);
    const next = nextToken + limit;
    return { events: events.slice(nextToken, next), ...(next < events.length && { nextToken: String(next) }) };
  });

/** Nothing, if the file was last written before `sinceMs`. */
const lastLines = (file: string, sinceMs: number): readonly string[] => {
  if (!existsSync(file)) return [];
  const open = openSync(file, 'r');
  try {
    const { size, mtimeMs } = fstatSync(open);
    if (mtimeMs + dateAheadMs() < sinceMs) return [];
    const bytes = Buffer.alloc(Math.min(size, mostBytes));
    readSync(open, bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes.toString('utf8').split('\n');
    return size > mostBytes ? lines.slice(1) : lines;
  } finally {
    closeSync(open);
  }
};

type Fields = Readonly<Record<string, unknown>>;

const compare: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
};

const states: Readonly<Record<string, true | undefined>> = { 'IS TRUE': true, 'NOT EXISTS': undefined };

/** `{ $.name = "text" && $.path = "*part*" && $.status >= 400 && $.isNew IS TRUE && $.isOld NOT EXISTS }`, and `words` that a fitting line has in it. */
const filterOf = (pattern: string): { fits(fields: Fields): boolean; readonly words: readonly string[] } => {
  const [, inside] = /^\{ (.+) \}$/s.exec(pattern) ?? [];
  if (inside === undefined) throw invalid(pattern);
  const tests = inside.split(' && ').map((term) => {
    const [, flag = '', state = ''] = /^\$\.(\w+) (NOT EXISTS|IS TRUE)$/.exec(term) ?? [];
    if (flag) return { fits: (fields: Fields) => fields[flag] === states[state], words: [] };
    const [, name = '', operator = '', text, number] = /^\$\.(\w+) (=|>=|<) (?:"([^"\\]*)"|(\d+))$/.exec(term) ?? [];
    const test = compare[operator];
    if (!test || (text !== undefined && operator !== '=')) throw invalid(pattern);
    const word = text?.includes('*') ? undefined : text;
    const isLike = text === undefined ? undefined : like(text);
    const fits = (fields: Fields): boolean => {
      const value = fields[name];
      return isLike
        ? typeof value === 'string' && isLike(value)
        : typeof value === 'number' && test(value, Number(number));
    };
    return { fits, words: word === undefined ? [] : [word] };
  });
  return { fits: (fields) => tests.every((test) => test.fits(fields)), words: tests.flatMap(({ words }) => words) };
};

const like = (text: string) => {
  const parts = text.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  return (value: string): boolean => expression.test(value);
};

const invalid = (pattern: string) =>
  new AwsError('InvalidParameterException', `The local CloudWatch Logs does not know the filter pattern ${pattern}.`);
