import { CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnStage, type HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { watchApplication } from '../alarms.ts';
import { showDashboard } from '../dashboard.ts';
import { serveAtDomain } from '../domain.ts';
import type { Resources } from '../resources.ts';
import { keysOf, type Route, routes, unknownRoute } from '../routes.ts';
import { mapsOutput } from '../source-maps.ts';
import { stageThrottle, type Throttle, throttleOf } from '../throttles.ts';

/** The API's stage with its limits, and the alarms of the whole application. Deployed after the routes: a stage cannot name others. */
export class FrontStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    {
      api,
      resources,
      maps,
    }: { readonly api: HttpApi; readonly resources: Resources; readonly maps?: string | undefined },
  ) {
    super(scope, id);
    if (maps !== undefined) this.uploadMaps(maps);
    const keyed = Object.entries<Route>(routes).flatMap(([key, route]) =>
      keysOf(key).map((each) => [each, route] as const),
    );
    const limited = [...keyed, ['$default', unknownRoute] as const].flatMap(([key, route]) => {
      const throttle = throttleOf(route);
      return throttle ? [[key, settingsOf(throttle)] as const] : [];
    });
    const accesses = new LogGroup(this, 'access-log', { retention: RetentionDays.ONE_MONTH });
    const stage = new CfnStage(this, 'stage', {
      apiId: api.apiId,
      stageName: '$default',
      autoDeploy: true,
      defaultRouteSettings: { throttlingRateLimit: stageThrottle.rate, throttlingBurstLimit: stageThrottle.burst },
      routeSettings: Object.fromEntries(limited),
      accessLogSettings: { destinationArn: accesses.logGroupArn, format: JSON.stringify(accessLine) },
    });
    serveAtDomain(this, stage, resources.edge);
    watchApplication(this, resources, api.apiId);
    showDashboard(this, resources, api.apiId);
  }

  /** To the bucket of the CDK, where no function reads them. This stack is the last one that a deployment changes. */
  private uploadMaps(file: string): void {
    const { s3ObjectUrl: value } = new Asset(this, 'source-maps', { path: file });
    new CfnOutput(this, mapsOutput, { value });
  }
}

/** Named as in the template, because CDK passes the settings of single routes on as they are. */
const settingsOf = ({ rate, burst }: Throttle) => ({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst });

/** What the access log says of a request. A route instead of its path, and no address: paths and addresses name people, sessions and links. */
const accessLine = {
  at: '$context.requestTimeEpoch',
  requestId: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  protocol: '$context.protocol',
  answerBytes: '$context.responseLength',
  milliseconds: '$context.responseLatency',
  functionMilliseconds: '$context.integration.latency',
  functionStatus: '$context.integration.status',
  refusal: '$context.error.responseType',
} as const;
