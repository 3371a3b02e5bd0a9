import { type App, Tags } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import { decideRetention } from '../retention.ts';
import { parts } from '../routes.ts';
import { settingOf, stageOf } from '../settings.ts';
import { ApiStack } from './api.ts';
import { DataStack } from './data.ts';
import { FirewallStack } from './firewall.ts';
import { FrontStack } from './front.ts';
import { RoutesStack } from './routes.ts';
import { WorkStack } from './work.ts';

/** All stacks of the stage that the context names. What `prod` stores is retained when its stacks are deleted. `maps`: the file of the source maps. */
export const buildStacks = (app: App, codeOf: (does: string) => Code, maps?: string): void => {
  const stage = stageOf(app.node);
  const isProduction = stage === 'prod';
  decideRetention(app, { isProduction });
  Tags.of(app).add('application', 'messaging-and-checkout');
  Tags.of(app).add('stage', stage);
  const { resources: stored } = new DataStack(app, `${stage}-data`, { isProduction });
  const apiStack = new ApiStack(app, `${stage}-api`, { stored, codeOf });
  const { api, resources } = apiStack;
  const routeStacks = parts.map((part) => new RoutesStack(app, `${stage}-${part}`, { part, api, resources, codeOf }));
  const front = new FrontStack(app, `${stage}-front`, { api, resources, maps });
  const work = new WorkStack(app, `${stage}-work`, { resources, codeOf });
  for (const routes of routeStacks) {
    // What a release begins to write is for its own workers: the filters of the release before would let the stream drop it.
    routes.addStackDependency(work);
    front.addStackDependency(routes);
  }
  // Its page reads what the others of its release answer.
  const people = routeStacks[parts.indexOf('people')];
  for (const others of routeStacks) if (others !== people) people?.addStackDependency(others);
  // Said, because CloudFront gets both of them by settings: AWS deletes no firewall and no certificate that it still uses.
  if (settingOf(app.node, 'EDGE_FIREWALL') === 'on')
    apiStack.addStackDependency(new FirewallStack(app, `${stage}-firewall`));
};
