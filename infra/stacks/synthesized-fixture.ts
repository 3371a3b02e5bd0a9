import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildStacks } from './all.ts';

/** All stacks of a stage with these settings. */
export const built = (context: Readonly<Record<string, string>>): App => {
  const app = new App({ analyticsReporting: false, treeMetadata: false, stackTraces: false, context: { ...context } });
  buildStacks(app, () => Code.fromInline('unused'));
  return app;
};

/** The templates of these stacks, by their names. */
export const templatesOf = (app: App) =>
  new Map(app.synth().stacks.map(({ stackName, template }) => [stackName, template]));

const made = new Map<string, ReturnType<typeof templatesOf>>();

/** The templates of a stage with these settings, by their stacks: made once for all tests, which only read them. */
export const synthesized = (context: Readonly<Record<string, string>>): ReturnType<typeof templatesOf> => {
  const key = JSON.stringify(context);
  const templates = made.get(key) ?? templatesOf(built(context));
  made.set(key, templates);
  return templates;
};
