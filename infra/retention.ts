import { RemovalPolicies } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Everything that holds data: records, the key that seals them, files, work, and the logs that explain them. */
export const storingTypes = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::KMS::Key',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::Logs::LogGroup',
];

/** What stores data outlives the stacks of production, and goes with those of any other stage. */
export const decideRetention = (app: IConstruct, { isProduction }: { readonly isProduction: boolean }): void => {
  const policies = RemovalPolicies.of(app);
  if (isProduction) policies.retain({ applyToResourceTypes: storingTypes });
  else policies.destroy({ applyToResourceTypes: storingTypes });
};
