import * as z from 'zod';
import { account, region } from '../local-region.ts';

/** The format of names of schedules and groups. */
export const resourceName = z
  .string()
  .max(64)
  .regex(/^[0-9a-zA-Z-_.]+$/);

/** The service's default retry policy, which is also its maximum. */
export const mostPatient = { maximumRetryAttempts: 185, maximumEventAgeSeconds: 86_400 } as const;

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
};

/** The fields that CreateSchedule and UpdateSchedule set, with the service's defaults and limits. */
const scheduleDefinition = z.object({
  ScheduleExpression: z.string().min(1).max(256),
  ScheduleExpressionTimezone: z.string().refine(isTimeZone, 'must be an IANA time zone').default('UTC'),
  StartDate: z.number().optional(),
  EndDate: z.number().optional(),
  Description: z.string().max(512).optional(),
  State: z.literal(['ENABLED', 'DISABLED']).default('ENABLED'),
  ActionAfterCompletion: z.literal(['NONE', 'DELETE']).default('NONE'),
  KmsKeyArn: z.string().optional(),
  FlexibleTimeWindow: z.discriminatedUnion('Mode', [
    z.object({ Mode: z.literal('OFF') }),
    z.object({ Mode: z.literal('FLEXIBLE'), MaximumWindowInMinutes: z.int().min(1).max(1440) }),
  ]),
  Target: z.object({
    Arn: z
      .string()
      .max(1600)
      .regex(/^arn:./),
    RoleArn: z.string().regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/),
    Input: z.string().min(1).max(262_144).optional(),
    DeadLetterConfig: z
      .object({
        Arn: z
          .string()
          .regex(/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[a-zA-Z0-9-_]+$/)
          .optional(),
      })
      .optional(),
    RetryPolicy: z
      .object({
        MaximumRetryAttempts: z
          .int()
          .min(0)
          .max(mostPatient.maximumRetryAttempts)
          .default(mostPatient.maximumRetryAttempts),
        MaximumEventAgeInSeconds: z
          .int()
          .min(60)
          .max(mostPatient.maximumEventAgeSeconds)
          .default(mostPatient.maximumEventAgeSeconds),
      })
      .prefault({}),
    SqsParameters: z.object({ MessageGroupId: z.string().min(1).max(128).optional() }).optional(),
  }),
});
export type ScheduleDefinition = z.infer<typeof scheduleDefinition>;

/** The bodies of CreateSchedule and UpdateSchedule. */
export const scheduleInput = scheduleDefinition.extend({
  GroupName: resourceName.optional(),
  ClientToken: z
    .string()
    .max(64)
    .regex(/^[a-zA-Z0-9-_]+$/)
    .optional(),
});

/** A stored schedule. Times are milliseconds since 1970; those of the definition are seconds, as in the protocol. */
export const schedule = z.object({
  arn: z.string(),
  group: z.string(),
  name: z.string(),
  definition: scheduleDefinition,
  clientToken: z.string().optional(),
  createdAt: z.number(),
  modifiedAt: z.number(),
  /** Null after its last run. */
  nextRunAt: z.number().nullable(),
});
export type Schedule = z.infer<typeof schedule>;

/** One run of a schedule that its target has not accepted yet. */
export const invocation = z.object({
  id: z.string(),
  scheduleArn: z.string(),
  scheduledAt: z.number(),
  target: z.object({ arn: z.string(), input: z.string(), messageGroupId: z.string().optional() }),
  deadLetterArn: z.string().optional(),
  dueAt: z.number(),
  expiresAt: z.number(),
  attempt: z.number(),
  lastAttempt: z.number(),
});
export type Invocation = z.infer<typeof invocation>;

export const arnOf = (group: string, name: string): string =>
  `arn:aws:scheduler:${region}:${account}:schedule/${group}/${name}`;
