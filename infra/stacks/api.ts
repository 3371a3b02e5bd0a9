import { CfnOutput, Stack } from 'aws-cdk-lib';
import { HttpApi, type HttpMethod, HttpNoneAuthorizer, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Construct } from 'constructs';
import { buildFunction } from '../build-function.ts';
import type { World } from '../powers.ts';
import { type Route, routes, unknownRoute } from '../routes.ts';
import { settingOf } from '../settings.ts';
import type { StoredWorld } from './data.ts';

/** One HTTP API with one route for each row, one function for each folder that rows name, and one function for everything else. */
export class ApiStack extends Stack {
  /** The world, now that the API has an address. */
  readonly world: World;

  constructor(
    scope: Construct,
    id: string,
    { stored, codeOf }: { readonly stored: StoredWorld; readonly codeOf: (does: string) => string },
  ) {
    super(scope, id);
    const api = new HttpApi(this, 'api');
    const world = { ...stored, publicBaseUrl: settingOf(this.node, 'PUBLIC_BASE_URL') || api.apiEndpoint };
    const integrate = (route: Route) =>
      new HttpLambdaIntegration(
        route.does,
        buildFunction(this, world, {
          ...route,
          needs: route.scope ? ['api-keys:admit', ...route.needs] : route.needs,
          environment: route.scope ? { SCOPE: route.scope } : {},
          codeDirectory: codeOf(route.does),
        }),
      );
    // Rows that do the same share one function.
    const integrations = new Map<string, HttpLambdaIntegration>();
    const integrationOf = (route: Route): HttpLambdaIntegration => {
      const integration = integrations.get(route.does) ?? integrate(route);
      integrations.set(route.does, integration);
      return integration;
    };
    const operators = new HttpIamAuthorizer();
    const anyone = new HttpNoneAuthorizer();
    for (const [key, route] of Object.entries<Route>(routes)) {
      const [method = '', path = ''] = key.split(' ');
      new HttpRoute(this, key, {
        httpApi: api,
        routeKey: HttpRouteKey.with(path, method as HttpMethod),
        integration: integrationOf(route),
        authorizer: route.by === 'operator' ? operators : anyone,
      });
    }
    new HttpRoute(this, 'unknown-route', {
      httpApi: api,
      routeKey: HttpRouteKey.DEFAULT,
      integration: integrationOf(unknownRoute),
    });
    this.world = world;
    new CfnOutput(this, 'url', { value: api.apiEndpoint });
  }
}
