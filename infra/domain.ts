import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { CfnApiMapping, CfnDomainName, type CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnCertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { settingOf } from './settings.ts';

/**
 * Serves the API at its own domain, if it has one. In a Route 53 zone of ours, its records are made too. Elsewhere, the deployment waits for
 * the record that proves the certificate, and outputs name the one that leads to the API.
 */
export const serveAtDomain = (stack: Stack, stage: CfnStage): void => {
  const domainName = settingOf(stack.node, 'DOMAIN_NAME');
  if (!domainName) return;
  const hostedZoneId = settingOf(stack.node, 'HOSTED_ZONE_ID');
  const certificate = new CfnCertificate(stack, 'certificate', {
    domainName,
    validationMethod: 'DNS',
    ...(hostedZoneId && { domainValidationOptions: [{ domainName, hostedZoneId }] }),
  });
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
  const dnsName = domain.attrRegionalDomainName;
  if (!hostedZoneId) {
    new CfnOutput(stack, 'domain-record', { value: `${domainName} CNAME ${dnsName}` });
    return;
  }
  for (const type of ['A', 'AAAA'])
    new CfnRecordSet(stack, `domain-record-${type}`, {
      hostedZoneId,
      name: domainName,
      type,
      aliasTarget: { dnsName, hostedZoneId: domain.attrRegionalHostedZoneId },
    });
};
