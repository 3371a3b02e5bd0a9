import { Duration, Fn, type Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginRequestPolicy,
  OriginSslPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { edgeHeader } from '../shared/kit/edge-header.ts';
import type { BuiltEdge, Resources } from './resources.ts';
import { settingOf } from './settings.ts';

/** Of these, CloudFront keeps the answer to a path for ten seconds, for all callers, whatever the cache policy says. */
const keptErrors = [404, 414, 500, 501, 502, 503, 504];

/**
 * Puts CloudFront with a firewall before the API, if the settings name its web ACL. Nothing is cached: answers belong to their callers. A WAF
 * cannot be attached to an HTTP API. Its functions know by a key what came through CloudFront, and `EDGE_ONLY` lets them refuse the rest.
 */
export const serveFromEdge = (stack: Stack, api: HttpApi): BuiltEdge | undefined => {
  const webAclId = settingOf(stack.node, 'EDGE_WEB_ACL');
  if (!webAclId) return undefined;
  const domainName = settingOf(stack.node, 'DOMAIN_NAME');
  const key = new Secret(stack, 'edge-key', {
    description: 'Proves to functions that a request came through CloudFront',
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  }).secretValue.unsafeUnwrap();
  const distribution = new Distribution(stack, 'edge', {
    comment: `${stack.stackName}: firewall before the API`,
    webAclId,
    httpVersion: HttpVersion.HTTP2_AND_3,
    errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    ...(domainName && {
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(stack, 'edge-certificate', settingOf(stack.node, 'EDGE_CERTIFICATE')),
    }),
    defaultBehavior: {
      origin: new HttpOrigin(Fn.select(2, Fn.split('/', api.apiEndpoint)), {
        customHeaders: { [edgeHeader]: key },
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      }),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    },
  });
  const dnsName = distribution.distributionDomainName;
  return { key, host: domainName || dnsName, dnsName };
};

/** Lets a function that answers requests know the edge, if there is one. */
export const knowEdge = (fn: LambdaFunction, { edge }: Resources): void => {
  if (!edge) return;
  fn.addEnvironment('EDGE_KEY', edge.key);
  fn.addEnvironment('EDGE_HOST', edge.host);
  fn.addEnvironment('EDGE_ONLY', settingOf(fn.node, 'EDGE_ONLY'));
};
