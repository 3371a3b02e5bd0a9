import {
  ConflictException,
  CreateScheduleCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import type { ScheduleSpec } from './blueprint.ts';
import { localClient } from './local-client.ts';

/** Creates the templates' schedules in the scheduler. A schedule that exists keeps its rhythm. */
export const declareSchedules = async (schedulerUrl: string, schedules: readonly ScheduleSpec[]): Promise<void> => {
  // With the limits of AWS, the scheduler throttles.
  const client = new SchedulerClient({ ...localClient(schedulerUrl), maxAttempts: 10 });
  for (const { name, group, expression, targetArn, roleArn, input } of schedules) {
    const schedule = {
      Name: name,
      GroupName: group,
      ScheduleExpression: expression,
      FlexibleTimeWindow: { Mode: 'OFF' as const },
      Target: { Arn: targetArn, RoleArn: roleArn, Input: input },
    };
    try {
      await client.send(new CreateScheduleCommand(schedule));
    } catch (thrown) {
      if (!(thrown instanceof ConflictException)) throw thrown;
      await client.send(new UpdateScheduleCommand(schedule));
    }
  }
  client.destroy();
};
