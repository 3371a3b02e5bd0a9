import { CfnOutput, Stack } from 'aws-cdk-lib';
import { HttpApi, type HttpMethod, HttpNoneAuthorizer, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Construct } from 'constructs';
import { buildFunction } from '../build-function.ts';
import type { World } from '../powers.ts';
import { type Route, routes, unknownRoute } from '../routes.ts';

/** One HTTP API with one route and one function for each row, and one function for everything else. */
export class ApiStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { world, codeOf }: { readonly world: World; readonly codeOf: (does: string) => string },
  ) {
    super(scope, id);
    const integrationOf = (route: Route) =>
      new HttpLambdaIntegration(
        route.does,
        buildFunction(this, world, {
          ...route,
          needs: route.scope ? ['api-keys:admit', ...route.needs] : route.needs,
          environment: route.scope ? { SCOPE: route.scope } : {},
          codeDirectory: codeOf(route.does),
        }),
      );
    const api = new HttpApi(this, 'api', { defaultIntegration: integrationOf(unknownRoute) });
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
    new CfnOutput(this, 'url', { value: api.apiEndpoint });
  }
}
