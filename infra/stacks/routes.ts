import { Stack } from 'aws-cdk-lib';
import {
  type HttpApi,
  type HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type Code, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { powersFor } from '../auth.ts';
import { buildFunction } from '../build-function.ts';
import { reservedForRoute, reservedIn } from '../concurrency.ts';
import { knowEdge } from '../edge.ts';
import type { Resources } from '../resources.ts';
import { keysOf, type Part, partOf, type Route, routes } from '../routes.ts';
import { functionName } from '../rows.ts';

interface Needs {
  readonly part: Part;
  readonly api: HttpApi;
  readonly resources: Resources;
  readonly codeOf: (does: string) => Code;
}

/** One route for each row of one part of the table, and one function for each folder that those rows name. */
export class RoutesStack extends Stack {
  constructor(scope: Construct, id: string, { part, api, resources, codeOf }: Needs) {
    super(scope, id);
    const integrate = (route: Route) => {
      const fn = buildFunction(this, resources, {
        ...route,
        needs: [...powersFor(route.auth), ...route.needs],
        reservedConcurrency: reservedForRoute(reservedIn(this.node), route),
        code: codeOf(route.does),
        logGroup: resources.requestLog,
      });
      knowEdge(fn, resources);
      // One permission for each function instead of one for each route: they count towards the stack's 500 resources.
      return new HttpLambdaIntegration(route.does, fn, { scopePermissionToRoute: false });
    };
    // Rows with the same folder share one function.
    const integrations = new Map<string, HttpLambdaIntegration>();
    const integrationOf = (route: Route): HttpLambdaIntegration => {
      const integration = integrations.get(route.does) ?? integrate(route);
      integrations.set(route.does, integration);
      return integration;
    };
    for (const [key, route] of Object.entries<Route>(routes)) {
      if (partOf(route) !== part) continue;
      for (const each of keysOf(key)) {
        const [method = '', path = ''] = each.split(' ');
        new HttpRoute(this, each, {
          httpApi: api,
          routeKey: HttpRouteKey.with(path, method as HttpMethod),
          integration: integrationOf(route),
          // Functions authorize their callers themselves. Said, so that a deployment changes routes that IAM protected before.
          authorizer: new HttpNoneAuthorizer(),
        });
      }
    }
    this.deployPageLast();
  }

  /** The page of the dashboard reads fields that the functions of the release before do not answer. */
  private deployPageLast(): void {
    const functions = this.node.children.filter((child) => child instanceof LambdaFunction);
    const page = functions.find(({ node }) => node.id === functionName('dashboard/show-app'));
    page?.node.addDependency(...functions.filter((one) => one !== page));
  }
}
