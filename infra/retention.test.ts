import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { expect, it } from 'vitest';
import { decideRetention, storingTypes } from './retention.ts';
import { DataStack } from './stacks/data.ts';

/** How each type that stores data ends with its stack. */
const policiesOf = (isProduction: boolean): Record<string, string[]> => {
  const app = new App({ analyticsReporting: false });
  decideRetention(app, { isProduction });
  const stack = new DataStack(app, 'test-data', { isProduction });
  new LogGroup(stack, 'log');
  const template = Template.fromStack(stack);
  return Object.fromEntries(
    storingTypes.map((type) => [
      type,
      [...new Set(Object.values(template.findResources(type)).map((each) => String(each['DeletionPolicy'])))],
    ]),
  );
};

const allWith = (policy: string) => Object.fromEntries(storingTypes.map((type) => [type, [policy]]));

it('the table, the key, files, queues and logs of production outlive its stacks, but not the rollback of the deployment that made them', () => {
  expect(policiesOf(true)).toEqual({
    ...allWith('RetainExceptOnCreate'),
    // A rollback that may not delete a table that is protected would fail, and leave a stack that cannot be deployed again.
    'AWS::DynamoDB::GlobalTable': ['Retain'],
  });
});

it('they go with the stacks of any other stage', () => {
  expect(policiesOf(false)).toEqual(allWith('Delete'));
});
