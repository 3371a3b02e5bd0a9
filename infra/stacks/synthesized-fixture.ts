import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildStacks } from './all.ts';

const synthesize = (context: Readonly<Record<string, string>>) => {
  const app = new App({ analyticsReporting: false, treeMetadata: false, stackTraces: false, context: { ...context } });
  buildStacks(app, () => Code.fromInline('unused'));
  return new Map(app.synth().stacks.map(({ stackName, template }) => [stackName, template]));
};

const made = new Map<string, ReturnType<typeof synthesize>>();

/** The templates of a stage with these settings, by their stacks: made once for all tests, which only read them. */
export const synthesized = (context: Readonly<Record<string, string>>): ReturnType<typeof synthesize> => {
  const key = JSON.stringify(context);
  const templates = made.get(key) ?? synthesize(context);
  made.set(key, templates);
  return templates;
};
