import { CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { certificateOf } from '../domain.ts';
import { settingOf } from '../settings.ts';

interface Rule {
  readonly name: string;
  readonly statement: CfnWebACL.StatementProperty;
  /** Undefined: those of the managed group itself. */
  readonly action?: CfnWebACL.RuleActionProperty;
}

const managed = (name: string, counted: readonly string[] = []): Rule => ({
  name,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      // WAF has refused an empty list.
      ...(counted.length > 0 && {
        ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      }),
    },
  },
});

const asText = [{ priority: 0, type: 'NONE' }];

const hasHeader = (name: string): CfnWebACL.StatementProperty => ({
  sizeConstraintStatement: {
    // CDK passes it on as it is, so its name begins as in the template.
    fieldToMatch: { singleHeader: { Name: name } },
    comparisonOperator: 'GT',
    size: 0,
    textTransformations: asText,
  },
});

const isUnder = (path: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'STARTS_WITH',
    searchString: path,
    textTransformations: asText,
  },
});

/** Where the paths begin that take keys. A key on another path proves nothing. */
const keyedPaths = ['/api/v1/', '/admin/v1/', '/v1/checkout-sessions', '/v1/payments', '/v1/refunds'];

const anyOf = (statements: CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty => ({
  orStatement: { statements },
});

const hasKey: CfnWebACL.StatementProperty = {
  andStatement: {
    statements: [anyOf([hasHeader('x-api-key'), hasHeader('authorization')]), anyOf(keyedPaths.map(isUnder))],
  },
};

const isOfProvider = isUnder('/callbacks/');
const isOfMailService = isUnder('/unsubscribe/');

const isReturn = isUnder('/checkout/return/');

/** Refuses an address that makes more than `limit` of these requests in five minutes. */
const rateOfAddress = (name: string, limit: number, scopeDownStatement: CfnWebACL.StatementProperty): Rule => ({
  name,
  action: { block: { customResponse: { responseCode: 429 } } },
  statement: {
    rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: 300, scopeDownStatement },
  },
});

/**
 * What the firewall refuses. No rule looks into bodies: mails are HTML, and quote whatever their senders write about. Callers with a key are
 * limited by their key too, and providers and mail services, which call from few addresses, by the API.
 */
const rules: readonly Rule[] = [
  managed('AWSManagedRulesAmazonIpReputationList'),
  managed('AWSManagedRulesKnownBadInputsRuleSet', ['Log4JRCE_BODY', 'JavaDeserializationRCE_BODY', 'ReactJSRCE_BODY']),
  // Twice what the API itself permits payers, because many share the address of their provider.
  rateOfAddress('rate-of-address', 3_000, {
    notStatement: { statement: anyOf([hasKey, isOfProvider, isOfMailService, isReturn]) },
  }),
  // 1,000 a second, half of what all callers share, and what the API itself permits providers. The firewall does not know which keys exist, and
  // invented ones would use up all of it; so would callbacks, which the API counts only after its own limit for all.
  rateOfAddress('rate-of-address-with-keys', 300_000, anyOf([hasKey, isOfProvider])),
  // What the API itself permits, before it uses up what all mail services share.
  rateOfAddress('rate-of-mail-service', 6_000, isOfMailService),
  // Half of what all payers share who return from gateways. The API does not count them: a payment whose payer is refused is not confirmed.
  rateOfAddress('rate-of-returns', 30_000, isReturn),
];

/** CloudFront takes firewalls and certificates of this region only. */
const region = 'us-east-1';

/** A firewall for CloudFront and, with a domain, its certificate. Outputs are the settings that put CloudFront before the API. */
export class FirewallStack extends Stack {
  constructor(scope: Construct, id: string) {
    super(scope, id, { env: { region } });
    const seenAs = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
      metricName,
    });
    const acl = new CfnWebACL(this, 'firewall', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: seenAs(id),
      rules: rules.map(({ name, statement, action }, priority) => ({
        name,
        priority,
        statement,
        ...(action ? { action } : { overrideAction: { none: {} } }),
        visibilityConfig: seenAs(name),
      })),
    });
    new CfnOutput(this, 'WebAcl', { value: acl.attrArn });
    const domainName = settingOf(this.node, 'DOMAIN_NAME');
    if (!domainName) return;
    new CfnOutput(this, 'CertificateArn', { value: certificateOf(this, domainName).ref });
  }
}
