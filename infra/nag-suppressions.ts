/** Findings of cdk-nag that stay, and why. */
interface Suppression {
  /** Begins the finding: the rule, and for permissions `[Resource::<arn>]` too. */
  readonly finding: string;
  /** Where it stays; anywhere by default. */
  readonly at?: RegExp;
  readonly reason: string;
}

const permission = (resource: string): string => `AwsSolutions-IAM5[Resource::${resource}]`;
const regional = (service: string, resource: string): string =>
  permission(`arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${resource}`);

export const suppressions: readonly Suppression[] = [
  {
    finding: 'AwsSolutions-APIG4',
    reason:
      'Functions authenticate their callers themselves, by API key, session, signature of the provider or link, as the row in routes.ts says; API Gateway knows none of these.',
  },
  {
    finding: 'AwsSolutions-S1',
    reason:
      'The functions are the only callers of the buckets, and their logs name the files. Server access logs would have to be kept in a third bucket and would name accounts.',
  },
  {
    finding: 'AwsSolutions-CFR1',
    reason:
      'Merchants and their payers are in any country; an operator who serves few may name a web ACL of their own.',
  },
  {
    finding: 'AwsSolutions-CFR3',
    reason:
      'Its log would name the addresses and paths of payers. The access log of the API has each request without them, and the firewall counts what it refuses.',
  },
  {
    finding: 'AwsSolutions-SMG4',
    reason:
      'CloudFront and the functions get the key by a deployment, so a rotation by itself would lock everybody out. It only proves the way of a request; callers are authenticated as without it.',
  },
  {
    finding: regional('ses', 'identity/*'),
    reason: 'Accounts send from their own verified domains, which exist only once an account has added them.',
  },
  {
    finding: regional('sms-voice', '*'),
    reason: 'Accounts send from their own numbers, sender ids and pools, which are made after the deployment.',
  },
  ...['attachments', 'exports', 'imports', 'refused'].map((folder) => ({
    finding: `AwsSolutions-IAM5[Resource::<files`,
    at: new RegExp(`\\.Arn>/${folder}/\\*]`),
    reason: `The files of the folder ${folder} are named after their ids; the permission ends at the folder.`,
  })),
  {
    finding: 'AwsSolutions-IAM5[Resource::<failedbatches',
    reason: 'Lambda chooses the names of the batches that it stores for a reader of the stream.',
  },
  {
    finding: regional('scheduler', 'schedule/<schedules>/retry-*'),
    reason: 'Each retry has a schedule of its own in the group of the stage; their names begin with "retry-".',
  },
];

/** Whether this is one that stays. `path`: of the resource in the tree of constructs. */
export const isSuppressedBy = ({ finding, at }: Suppression, name: string, path: string): boolean =>
  name.startsWith(finding) && (at?.test(`${path} ${name}`) ?? true);
