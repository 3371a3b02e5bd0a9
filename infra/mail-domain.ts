import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import { settingOf } from './settings.ts';

/** Lets SES send for a domain: signed with DKIM, and with a return address of the domain itself (MAIL FROM). Outputs name its DNS records. */
export const sendForDomain = (stack: Stack): void => {
  const domain = settingOf(stack.node, 'MAIL_DOMAIN');
  if (!domain) return;
  const mailFromDomain = `bounces.${domain}`;
  const identity = new EmailIdentity(stack, 'mail-domain', {
    identity: Identity.domain(domain),
    mailFromDomain,
    // Bounces and complaints come as events. SES would also mail each, with its recipient, to the sender.
    feedbackForwarding: false,
  });
  const records = {
    ...Object.fromEntries(
      identity.dkimRecords.map(({ name, value }, n) => [`mail-record-dkim-${n + 1}`, `${name} CNAME ${value}`]),
    ),
    'mail-record-bounces': `${mailFromDomain} MX 10 feedback-smtp.${stack.region}.amazonses.com`,
    'mail-record-spf': `${mailFromDomain} TXT "v=spf1 include:amazonses.com ~all"`,
    'mail-record-dmarc': `_dmarc.${domain} TXT "v=DMARC1; p=none"`,
  };
  for (const [id, value] of Object.entries(records)) new CfnOutput(stack, id, { value });
};
