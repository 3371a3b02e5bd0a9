import { CfnOutput, Stack } from 'aws-cdk-lib';
import { HttpApi, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct, Node } from 'constructs';
import { buildFunction } from '../build-function.ts';
import { knowEdge, serveFromEdge } from '../edge.ts';
import type { Resources } from '../resources.ts';
import { unknownRoute } from '../routes.ts';
import { settingOf } from '../settings.ts';
import type { StoredResources } from './data.ts';

/** The HTTP API and its default route. The other routes are built with their functions, in separate stacks, and after them its stage. */
export class ApiStack extends Stack {
  readonly api: HttpApi;
  /** The resources, complete with the API's address. */
  readonly resources: Resources;

  constructor(
    scope: Construct,
    id: string,
    { stored, codeOf }: { readonly stored: StoredResources; readonly codeOf: (does: string) => Code },
  ) {
    super(scope, id);
    this.api = new HttpApi(this, 'api', { createDefaultStage: false });
    const edge = serveFromEdge(this, this.api);
    const url = edge ? `https://${edge.host}` : this.api.apiEndpoint;
    this.resources = { ...stored, edge, publicBaseUrl: baseUrlOf(this.node) || url };
    const { does } = unknownRoute;
    const fn = buildFunction(this, this.resources, {
      ...unknownRoute,
      code: codeOf(does),
      logGroup: stored.requestLog,
    });
    new HttpRoute(this, 'unknown-route', {
      httpApi: this.api,
      routeKey: HttpRouteKey.DEFAULT,
      integration: new HttpLambdaIntegration(does, fn),
    });
    knowEdge(fn, this.resources);
    new CfnOutput(this, 'url', { value: url });
    // A stage may get another address later. CloudFormation refuses to remove what other stacks still import, and those are deployed after this one.
    this.exportValue(this.api.apiEndpoint);
  }
}

const baseUrlOf = (node: Node): string => {
  const domain = settingOf(node, 'DOMAIN_NAME');
  return settingOf(node, 'PUBLIC_BASE_URL') || (domain && `https://${domain}`);
};
