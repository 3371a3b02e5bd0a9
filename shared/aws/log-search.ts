import * as z from 'zod';
import { retried } from './aws-retry.ts';
import type { AwsService } from './aws-service.ts';

export interface LogSearch {
  /** A filter pattern of CloudWatch Logs. */
  readonly pattern: string;
  /** Both inclusive, in milliseconds since 1970. */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly nextToken?: string | undefined;
}

const answer = z.object({
  events: z.array(z.object({ timestamp: z.number(), message: z.string() })).default([]),
  nextToken: z.string().optional(),
});

/** One page of lines. With a `nextToken` there may be more, even after an empty page. */
export type LogPage = z.output<typeof answer>;

/** Searches one log group. */
export const openLogSearch =
  (logs: AwsService, logGroupName: string) =>
  async ({ pattern, sinceMs, untilMs, nextToken }: LogSearch): Promise<LogPage> => {
    const span = { startTime: sinceMs, endTime: untilMs };
    const input = { logGroupName, filterPattern: pattern, ...span, limit: 1_000, nextToken };
    return answer.parse(await retried(() => logs.send({ target: 'Logs_20140328.FilterLogEvents', input })));
  };

export type SearchLog = ReturnType<typeof openLogSearch>;
