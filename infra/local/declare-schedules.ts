import { retried } from '../../shared/aws/aws-retry.ts';
import { AwsError } from '../../shared/aws/aws-service.ts';
import type { ScheduleSpec } from './blueprint.ts';

/** Creates the templates' schedules in the scheduler. A schedule that exists keeps its rhythm. */
export const declareSchedules = async (schedulerUrl: string, schedules: readonly ScheduleSpec[]): Promise<void> => {
  for (const spec of schedules) {
    // With the limits of AWS, the scheduler throttles.
    const declare = (method: 'POST' | 'PUT') =>
      retried(() => declareOne(schedulerUrl, method, spec), { isLogged: false });
    await declare('POST').catch((thrown: unknown) => {
      if (thrown instanceof AwsError && thrown.name === 'ConflictException') return declare('PUT');
      throw thrown;
    });
  }
};

const declareOne = async (
  schedulerUrl: string,
  method: 'POST' | 'PUT',
  { name, group, expression, targetArn, roleArn, input }: ScheduleSpec,
): Promise<void> => {
  const schedule = {
    GroupName: group,
    ScheduleExpression: expression,
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: targetArn, RoleArn: roleArn, Input: input },
  };
  const answer = await fetch(`${schedulerUrl}/schedules/${name}`, { method, body: JSON.stringify(schedule) });
  const { status } = answer;
  const body: unknown = await answer.json();
  if (!answer.ok) throw new AwsError({ status, body });
};
