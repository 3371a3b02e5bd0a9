import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { isId } from './id.ts';

/** The message of the line that every answered request writes to the log. */
export const answered = 'answered';

/** What the request log reads from such a line. */
export const requestLine = z.object({
  requestId: z.string(),
  routeKey: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  durationMs: z.number(),
  keyPrefix: z.string().optional(),
  isReplay: z.boolean().default(false),
  isFromDashboard: z.boolean().default(false),
  errorCode: z.string().optional(),
  ignored: z.array(z.string()).optional(),
});

export type RequestLine = z.output<typeof requestLine>;

type Routed = Pick<APIGatewayProxyEventV2, 'routeKey' | 'pathParameters'>;

/** The path of the route with those of its values that may be shown. The others stay `{name}`. */
export const pathShowing = (
  { routeKey, pathParameters = {} }: Routed,
  mayBeShown: (value: string) => boolean,
): string =>
  routeKey.replace(/^\S+ /, '').replaceAll(/\{(\w+)\+?\}/g, (hidden: string, name: string) => {
    const value = pathParameters[name];
    return value !== undefined && mayBeShown(value) ? value : hidden;
  });

/** The path of the route with its ids. Its other values are tokens, addresses or phone numbers. */
export const loggedPath = (routed: Routed): string => pathShowing(routed, isId);

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

/** With the account's own keys, or with those that people are lent. */
export const requestSources = ['keys', 'dashboard'] as const;

export interface RequestFilter {
  readonly source?: (typeof requestSources)[number] | undefined;
  readonly status?: (typeof statusClasses)[number] | undefined;
  readonly method?: string | undefined;
  /** A part of the path. It has no quotes, backslashes or stars. */
  readonly path?: string | undefined;
}

/** Requests before this one are next. */
export interface RequestPlace {
  readonly atMs: number;
  readonly requestId: string;
}
