import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { CfnApiMapping, CfnDomainName, type CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnCertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { BuiltEdge } from './resources.ts';
import { settingOf } from './settings.ts';

/** CloudFront's own zone, the same for every distribution. */
const cloudfrontZone = 'Z2FDTNDATAQYW2';

interface Target {
  readonly dnsName: string;
  readonly hostedZoneId: string;
}

/**
 * Serves the API at its own domain, if it has one, and lets the domain lead there, or to CloudFront before it. In a Route 53 zone of ours, its
 * records are made too. Elsewhere, the deployment waits for the record that proves the certificate, and outputs name the one that leads to the API.
 */
export const serveAtDomain = (stack: Stack, stage: CfnStage, edge: BuiltEdge | undefined): void => {
  const domainName = settingOf(stack.node, 'DOMAIN_NAME');
  if (!domainName) return;
  // It stays when CloudFront is put before the API: name servers lead callers there for some time still.
  const own = domainOf(stack, stage, domainName);
  leadTo(stack, domainName, edge ? { dnsName: edge.dnsName, hostedZoneId: cloudfrontZone } : own);
};

const domainOf = (stack: Stack, stage: CfnStage, domainName: string): Target => {
  const certificate = certificateOf(stack, domainName);
  const domain = new CfnDomainName(stack, 'domain', {
    domainName,
    domainNameConfigurations: [
      {
        certificateArn: certificate.ref,
        endpointType: 'REGIONAL',
        securityPolicy: 'TLS_1_2',
        ipAddressType: 'dualstack',
      },
    ],
  });
  new CfnApiMapping(stack, 'domain-mapping', { apiId: stage.apiId, domainName: domain.ref, stage: stage.ref });
  return { dnsName: domain.attrRegionalDomainName, hostedZoneId: domain.attrRegionalHostedZoneId };
};

/** A certificate that is proven by DNS: in a zone of ours by itself. */
export const certificateOf = (stack: Stack, domainName: string): CfnCertificate => {
  const hostedZoneId = settingOf(stack.node, 'HOSTED_ZONE_ID');
  return new CfnCertificate(stack, 'certificate', {
    domainName,
    validationMethod: 'DNS',
    ...(hostedZoneId && { domainValidationOptions: [{ domainName, hostedZoneId }] }),
  });
};

const leadTo = (stack: Stack, name: string, target: Target): void => {
  const hostedZoneId = settingOf(stack.node, 'HOSTED_ZONE_ID');
  if (!hostedZoneId) {
    new CfnOutput(stack, 'domain-record', { value: `${name} CNAME ${target.dnsName}` });
    return;
  }
  for (const type of ['A', 'AAAA'])
    new CfnRecordSet(stack, `domain-record-${type}`, { hostedZoneId, name, type, aliasTarget: target });
};
