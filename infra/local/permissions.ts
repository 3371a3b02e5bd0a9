import type { Blueprint, FunctionSpec, RoleSpec } from './blueprint.ts';
import { account } from './local-region.ts';
import { type Access, compilePolicy } from './policy.ts';
import { StartFailure } from './start-failure.ts';

/** What each function may do. Every function calls with an access key id of its own, which is its name. */
export interface Permissions {
  /**
   * Why a call is refused: the message that AWS gives for the first access that the caller's role does not permit. Undefined when all are
   * permitted. A caller with an unknown access key id is an administrator.
   */
  refusalOf(accessKey: string, accesses: () => readonly Access[]): string | undefined;
}

/** Everything is permitted. */
export const noPermissions: Permissions = { refusalOf: () => undefined };

interface Grants {
  readonly functions: readonly Pick<FunctionSpec, 'name' | 'roleArn'>[];
  readonly roles: readonly RoleSpec[];
}

/** @throws Error when a policy cannot be evaluated */
export const permissionsOf = ({ functions, roles }: Grants): Permissions => {
  const callers = new Map(
    functions.map(({ name, roleArn }) => {
      const role = roles.find(({ arn }) => arn === roleArn);
      if (!role) throw new Error(`The function ${name} has no role.`);
      const user = `arn:aws:sts::${account}:assumed-role/${role.name}/${name}`;
      return [name, { user, isPermitted: compilePolicy(role.statements) }] as const;
    }),
  );
  return {
    refusalOf: (accessKey, accesses) => {
      const caller = callers.get(accessKey);
      const refused = caller && accesses().find((access) => !caller.isPermitted(access));
      return refused && deniedText(caller.user, refused);
    },
  };
};

const deniedText = (user: string, { action, resource }: Access): string =>
  `User: ${user} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;

const queueActions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((name) => `sqs:${name}`);
const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
  (name) => `dynamodb:${name}`,
);

/**
 * AWS creates no event source mapping that the role of its function does not permit, and a schedule delivers nothing that its role does not.
 * @throws StartFailure
 */
export const checkFeeds = (
  { queueMappings, streamMappings, tables, schedules, roles }: Blueprint,
  permissions: Permissions,
): void => {
  const check = (functionName: string, resource: string, actions: readonly string[]): void => {
    const refusal = permissions.refusalOf(functionName, () => actions.map((action) => ({ action, resource })));
    if (refusal) throw new StartFailure(refusal);
  };
  for (const { functionName, queueArn } of queueMappings) check(functionName, queueArn, queueActions);
  for (const { functionName, tableName, onFailureBucket } of streamMappings) {
    const arn = tables.find(({ name }) => name === tableName)?.arn;
    check(functionName, `${arn}/stream/latest`, streamActions);
    if (onFailureBucket === undefined) continue;
    check(functionName, `arn:aws:s3:::${onFailureBucket}/batch`, ['s3:PutObject']);
    check(functionName, `arn:aws:s3:::${onFailureBucket}`, ['s3:ListBucket']);
  }
  for (const { name, roleArn, targetArn } of schedules) {
    const statements = roles.find(({ arn }) => arn === roleArn)?.statements ?? [];
    if (!compilePolicy(statements)({ action: 'sqs:SendMessage', resource: targetArn }))
      throw new StartFailure(`The role of the schedule ${name} does not let it send to ${targetArn}.`);
  }
};
