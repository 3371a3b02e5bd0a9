import { join } from 'node:path';
import * as z from 'zod';
import { noPermissions, type Permissions } from '../permissions.ts';
import type { Access } from '../policy.ts';
import { accessKeyIn } from './aws-caller.ts';
import { AwsError, type JsonRequest, serveJson } from './json-service.ts';
import type { Rate } from './rate.ts';
import { type Deliver, runSchedules } from './scheduler-runner.ts';
import { arnOf, resourceName, type Schedule, scheduleInput } from './scheduler-schedule.ts';
import { openScheduleStore, type ScheduleStore } from './scheduler-store.ts';
import { firstRun, sameTiming } from './scheduler-timing.ts';

export interface SchedulerOptions {
  /** Must exist; schedules and pending retries are stored in its `scheduler.sqlite`. */
  readonly dataDirectory: string;
  /** The groups in addition to `default`. */
  readonly groups?: readonly string[];
  /** Delivers an input to a queue or function. A rejection is a failed attempt, which the schedule's retry policy governs. */
  readonly deliver: Deliver;
  readonly now?: () => number;
  /** Of creating schedules; without one, there is no limit. */
  readonly rate?: Rate;
  readonly permissions?: Permissions;
}

/**
 * EventBridge Scheduler's REST protocol for `at` and `rate` schedules. Schedules that became due while it was stopped are delivered
 * after the start; missed runs of a rate count as one.
 * @throws StartFailure when `scheduler.sqlite` cannot be used
 */
export const startScheduler = async (options: SchedulerOptions) => {
  const { dataDirectory, groups = [], deliver, now = Date.now, rate, permissions = noPermissions } = options;
  const store = openScheduleStore(join(dataDirectory, 'scheduler.sqlite'));
  const runner = runSchedules(store, deliver, now);
  const operations = operationsOf({ store, groups: new Set(['default', ...groups]), now, changed: runner.wake });
  const service = await serveJson((request) => {
    const [, name] = /^\/schedules\/([^/]+)$/.exec(request.path) ?? [];
    const operation = operations.get(`${request.method} ${name ? '/schedules/{Name}' : request.path}`);
    if (!operation) throw new AwsError('UnknownOperationException', 'The local Scheduler has no such operation.', 404);
    if (request.method === 'POST' && rate?.take() === false)
      throw new AwsError('ThrottlingException', 'Rate exceeded', 429);
    const accessKey = accessKeyIn(request.headers.authorization);
    const refusal = permissions.refusalOf(accessKey, () => accessesOf(request, name ?? ''));
    if (refusal) throw new AwsError('AccessDeniedException', refusal, 403);
    return operation(request, name ?? '');
  });
  runner.wake();
  return {
    url: service.url,
    catchUp: runner.catchUp,
    close: async (): Promise<void> => {
      await service.close();
      await runner.stop();
      store.close();
    },
  };
};

const actions: Readonly<Record<string, string>> = {
  POST: 'CreateSchedule',
  PUT: 'UpdateSchedule',
  GET: 'GetSchedule',
  DELETE: 'DeleteSchedule',
};

/** What a schedule does, it does in a role that its creator must be allowed to pass on. */
const accessesOf = ({ method, body, query }: JsonRequest, name: string): readonly Access[] => {
  const { GroupName, Target } = roleRequest.parse(body);
  const group = GroupName ?? query['groupName'] ?? 'default';
  const action = name === '' ? 'scheduler:ListSchedules' : `scheduler:${actions[method]}`;
  const passing: Access = {
    action: 'iam:PassRole',
    resource: Target?.RoleArn ?? '',
    valuesOf: (key) => (key === 'iam:PassedToService' ? ['scheduler.amazonaws.com'] : undefined),
  };
  return [{ action, resource: name === '' ? '*' : arnOf(group, name) }, ...(Target ? [passing] : [])];
};

interface SchedulerParts {
  readonly store: ScheduleStore;
  readonly groups: ReadonlySet<string>;
  readonly now: () => number;
  /** Called after a change of the schedules. */
  readonly changed: () => void;
}

type Operation = (request: JsonRequest, name: string) => object;

const roleRequest = z.object({
  GroupName: z.string().optional(),
  Target: z.object({ RoleArn: z.string() }).optional(),
});
const namePath = z.object({ Name: resourceName });
const listQuery = z.object({
  ScheduleGroup: resourceName.optional(),
  NamePrefix: resourceName.optional(),
  State: z.literal(['ENABLED', 'DISABLED']).optional(),
  MaxResults: z.coerce.number().int().min(1).max(100).default(100),
  NextToken: z.string().optional(),
});

const operationsOf = ({ store, groups, now, changed }: SchedulerParts): ReadonlyMap<string, Operation> => {
  const known = (group: string): string => {
    if (!groups.has(group)) throw notFound(`Schedule group ${group}`);
    return group;
  };
  const placeOf = (name: string, group = 'default') => {
    namePath.parse({ Name: name });
    return { name, group: known(group), arn: arnOf(group, name) };
  };
  const existing = (name: string, group: string | undefined): Schedule => {
    const schedule = store.find(placeOf(name, group).arn);
    if (!schedule) throw notFound(`Schedule ${name}`);
    return schedule;
  };
  const keep = (schedule: Schedule) => {
    store.put(schedule);
    changed();
  };

  return new Map(
    Object.entries<Operation>({
      'POST /schedules/{Name}': ({ body }, name) => {
        const { GroupName, ClientToken, ...definition } = scheduleInput.parse(body);
        const place = placeOf(name, GroupName);
        const earlier = store.find(place.arn);
        if (earlier && (ClientToken === undefined || ClientToken !== earlier.clientToken)) {
          throw new AwsError('ConflictException', `Schedule ${name} already exists.`, 409);
        }
        if (!earlier) {
          const at = now();
          const nextRunAt = firstRun(definition, at);
          keep({ ...place, definition, clientToken: ClientToken, createdAt: at, modifiedAt: at, nextRunAt });
        }
        return { ScheduleArn: place.arn };
      },
      'PUT /schedules/{Name}': ({ body }, name) => {
        const { GroupName, ClientToken: _, ...definition } = scheduleInput.parse(body);
        const earlier = existing(name, GroupName);
        const at = now();
        const nextRunAt = sameTiming(definition, earlier.definition) ? earlier.nextRunAt : firstRun(definition, at);
        keep({ ...earlier, definition, modifiedAt: at, nextRunAt });
        return { ScheduleArn: earlier.arn };
      },
      'GET /schedules/{Name}': ({ query }, name) => {
        const schedule = existing(name, query['groupName']);
        return { ...summaryOf(schedule), ...schedule.definition };
      },
      'DELETE /schedules/{Name}': ({ query }, name) => {
        store.remove(existing(name, query['groupName']).arn);
        return {};
      },
      'GET /schedules': ({ query }) => {
        const { ScheduleGroup, NamePrefix, State, MaxResults, NextToken } = listQuery.parse(query);
        const schedules = store.list({
          group: ScheduleGroup && known(ScheduleGroup),
          namePrefix: NamePrefix,
          state: State,
          afterArn: NextToken && Buffer.from(NextToken, 'base64url').toString(),
          limit: MaxResults + 1,
        });
        const page = schedules.slice(0, MaxResults);
        const last = schedules.length > page.length ? page.at(-1) : undefined;
        return {
          Schedules: page.map((schedule) => ({
            ...summaryOf(schedule),
            State: schedule.definition.State,
            Target: { Arn: schedule.definition.Target.Arn },
          })),
          NextToken: last && Buffer.from(last.arn).toString('base64url'),
        };
      },
    }),
  );
};

const notFound = (what: string) => new AwsError('ResourceNotFoundException', `${what} does not exist.`, 404);

const summaryOf = ({ arn, group, name, createdAt, modifiedAt }: Schedule) => ({
  Arn: arn,
  GroupName: group,
  Name: name,
  CreationDate: createdAt / 1000,
  LastModificationDate: modifiedAt / 1000,
});
