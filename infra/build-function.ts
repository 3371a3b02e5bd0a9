import { Duration, type Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { metricsNamespaceOf } from './dashboard.ts';
import { empower, type Power } from './powers.ts';
import type { Resources } from './resources.ts';
import { functionName, megabytesOf } from './rows.ts';
import { settingOf } from './settings.ts';

/** API Gateway answers 503 after 30 s, so every function must end before that. */
export const timeoutSeconds = 25;

export interface FunctionPlan {
  readonly does: string;
  readonly needs: readonly Power[];
  readonly memoryMegabytes?: number;
  /** Concurrent runs that are kept for it, and the most that it may have. Undefined: it shares the account's others. */
  readonly reservedConcurrency?: number | undefined;
  /** A queue feeds it, so its jobs may queue others that continue them. Without leave, Lambda ends such a chain after 16 calls. */
  readonly mayContinue?: boolean;
  readonly code: Code;
  /** Undefined: it has one of its own. */
  readonly logGroup?: LogGroup;
}

export const buildLogGroup = (stack: Stack, id: string): LogGroup =>
  new LogGroup(stack, id, { retention: RetentionDays.ONE_MONTH });

/**
 * Of the lines that Lambda itself writes, only those of failures: START, END and REPORT of each invocation would be half of what logs cost. `LOG_LEVEL` has
 * chosen among ours already.
 */
const loggingOf = (logLevel: string) => ({
  loggingFormat: LoggingFormat.JSON,
  systemLogLevelV2: logLevel === 'debug' ? SystemLogLevel.INFO : SystemLogLevel.WARN,
  applicationLogLevelV2: ApplicationLogLevel.TRACE,
});

/** One Lambda function for one row. Its role allows only its powers and writing its own log. */
export const buildFunction = (stack: Stack, resources: Resources, plan: FunctionPlan): LambdaFunction => {
  const name = functionName(plan.does);
  const logGroup = plan.logGroup ?? buildLogGroup(stack, `${name}-log`);
  const role = new Role(stack, `${name}-role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  role.addToPolicy(
    new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] }),
  );
  const logLevel = settingOf(stack.node, 'LOG_LEVEL');
  const fn = new LambdaFunction(stack, name, {
    description: plan.does,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: plan.code,
    handler: `${name}.handler`,
    timeout: Duration.seconds(timeoutSeconds),
    memorySize: megabytesOf(plan),
    ...(plan.reservedConcurrency !== undefined && { reservedConcurrentExecutions: plan.reservedConcurrency }),
    // A chain ends by the rules of its jobs: their tries, their rows, the time that they are kept.
    ...(plan.mayContinue && { recursiveLoop: RecursiveLoop.ALLOW }),
    environment: {
      LOG_LEVEL: logLevel,
      ...(settingOf(stack.node, 'METRICS') === 'on' && { METRICS_NAMESPACE: metricsNamespaceOf(stack) }),
    },
    role,
    logGroup,
    ...(settingOf(stack.node, 'TRACES') === 'on' && { tracing: Tracing.ACTIVE }),
    ...loggingOf(logLevel),
  });
  empower(fn, resources, plan.needs);
  return fn;
};
