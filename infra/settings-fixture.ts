/** What settings can add to a stage. */
export const everySetting = {
  stage: 'prod',
  PLATFORM_EMAIL: 'no-reply@example.com',
  ALARM_EMAIL: 'ops@example.com',
  DOMAIN_NAME: 'api.example.com',
  HOSTED_ZONE_ID: 'Z1',
  MAIL_DOMAIN: 'example.com',
  DASHBOARD: 'on',
} as const;

/** The same with CloudFront: a domain leads either to the API or to CloudFront before it. */
export const everySettingAtEdge = {
  ...everySetting,
  EDGE_FIREWALL: 'on',
  EDGE_WEB_ACL: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/firewall/0a1b2c3d',
  EDGE_CERTIFICATE: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
} as const;
