import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination } from '../../../shared/http/cursor.ts';
import { integerText } from '../../../shared/http/fields.ts';
import { exampleId } from '../../../shared/kit/id.ts';
import { type RequestPlace, requestSources, statusClasses } from '../../../shared/kit/request-line.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const cursorShape = /^(\d{13}) ([\w=-]{0,100})$/;

/** The place in the log after which the next page begins. */
export const cursorOf = ({ atMs, requestId }: RequestPlace): string =>
  Buffer.from(`${atMs} ${requestId}`).toString('base64url');

const placeIn = (cursor: string): RequestPlace | undefined => {
  const [, atMs, requestId = ''] = cursorShape.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return atMs === undefined ? undefined : { atMs: Number(atMs), requestId };
};

const cursor = z.string().transform((text, { addIssue }) => {
  const place = placeIn(text);
  if (!place) addIssue('must be the pagination.cursor of a previous page');
  return place;
});

const request = z
  .object({
    at: z.string().meta({
      format: 'date-time',
      description: 'When it was answered.',
      examples: ['2026-11-20T12:00:00.000Z'],
    }),
    method: z.string().meta({ examples: ['GET'] }),
    path: z.string().meta({
      description: 'The path with its ids. Values that are not ids stay as in `route`.',
      examples: [`/api/v1/messages/${exampleId}`],
    }),
    route: z.string().meta({ examples: ['GET /api/v1/messages/{id}'] }),
    status: z.int().meta({ examples: [200] }),
    errorCode: z
      .string()
      .optional()
      .meta({
        description: 'The code of the error of a refused or failed request. Omitted of a replay.',
        examples: ['invalid_request'],
      }),
    durationMs: z.int().meta({ examples: [12] }),
    keyPrefix: z
      .string()
      .nullable()
      .meta({ description: 'The beginning of the key.', examples: ['mk_0123'] }),
    requestId: z.string().meta({ description: 'The `X-Request-Id` of the answer.', examples: ['JqX8Dg2BoAMEJvQ='] }),
    isFromDashboard: z.boolean().meta({
      description:
        'With a key that a person was lent for 15 minutes, as those of the dashboard are: it is in no list of keys.',
      examples: [false],
    }),
    isReplay: z.boolean().meta({ description: 'An earlier answer to the same `Idempotency-Key`.', examples: [false] }),
    ignored: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'Names of fields of the body and parameters of the query that the endpoint does not know, which changed nothing. At most 10; omitted where there are none. One inside another field has its path.',
        examples: [['scheduled_at', 'customer.mail']],
      }),
  })
  .meta({ id: 'LoggedRequest', description: 'A request with one of the account’s keys.' });

export const listRequestsContract = contract({
  summary: 'List the API requests of an account',
  description:
    'The requests of the last 24 hours that were made with a key of the account, refused ones included, also those whose key is revoked or expired, newest first. A request is listed some seconds after its answer. A page may have fewer rows than its limit, or none, and still have a next page. If the setting `LOG_LEVEL` is above `info`, no requests are logged.',
  status: 200,
  path: z.object({ id: z.string() }),
  query: z.object({
    source: z
      .enum(requestSources)
      .optional()
      .describe('`keys`: with the account’s own keys. `dashboard`: with those that people were lent.'),
    status: z.enum(statusClasses).optional().describe('The class of the status.'),
    method: z.enum(methods).optional(),
    path: z
      .string()
      .regex(/^[\w./{}%@:~-]{1,200}$/, 'must be 1 to 200 characters of a path')
      .optional()
      .meta({ description: 'A part of the path.', examples: ['/api/v1/messages'] }),
    limit: integerText({ from: 1, to: 100 }).default(20),
    cursor: cursor.optional().meta({
      description: 'The `pagination.cursor` of the previous page.',
      examples: [cursorOf({ atMs: Date.UTC(2026, 10, 20, 12), requestId: 'JqX8Dg2BoAMEJvQ=' })],
    }),
  }),
  reply: z.array(request),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request', 'account_not_found'],
});
