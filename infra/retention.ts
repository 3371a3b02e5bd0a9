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

/** Deletion protection lets no rollback delete it. Left behind empty, it costs nothing. */
const protectedTypes = ['AWS::DynamoDB::GlobalTable'];

/**
 * What stores data outlives the stacks of production, and goes with those of any other stage. What a failed deployment has just made is empty,
 * so its rollback deletes it.
 */
export const decideRetention = (app: IConstruct, { isProduction }: { readonly isProduction: boolean }): void => {
  const policies = RemovalPolicies.of(app);
  if (isProduction) {
    const deletable = storingTypes.filter((type) => !protectedTypes.includes(type));
    policies.retain({ applyToResourceTypes: protectedTypes });
    policies.retainOnUpdateOrDelete({ applyToResourceTypes: deletable });
  } else policies.destroy({ applyToResourceTypes: storingTypes });
};
