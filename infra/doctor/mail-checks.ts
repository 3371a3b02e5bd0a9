import * as z from 'zod';
import { type AwsAccount, AwsRefusal } from './aws-account.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const accountSchema = z.object({
  ProductionAccessEnabled: z.boolean(),
  SendingEnabled: z.boolean(),
  EnforcementStatus: z.string().default('HEALTHY'),
  SendQuota: z.object({ Max24HourSend: z.number(), MaxSendRate: z.number(), SentLast24Hours: z.number() }),
});

/** Whether SES sends to everybody, and how much. */
export const mailFinding = async ({ get }: AwsAccount): Promise<Finding> => {
  const { ProductionAccessEnabled, SendingEnabled, EnforcementStatus, SendQuota } = await get(
    accountSchema,
    'ses',
    '/v2/email/account',
    'email',
  );
  const { Max24HourSend, MaxSendRate, SentLast24Hours } = SendQuota;
  const text = `${SentLast24Hours} of ${Max24HourSend} emails sent in 24 hours, up to ${MaxSendRate} a second.`;
  if (!SendingEnabled || EnforcementStatus === 'SHUTDOWN')
    return problem('SES has stopped the sending of this account.', 'Read the reason under "Account dashboard" of SES.');
  if (!ProductionAccessEnabled)
    return warning(
      `In the sandbox: only verified addresses receive email. ${text}`,
      'Request production access under "Account dashboard" of SES.',
    );
  if (EnforcementStatus !== 'HEALTHY')
    return warning(
      `SES reviews this account (${EnforcementStatus}).`,
      'Read the reason under "Account dashboard" of SES.',
    );
  return SentLast24Hours > 0.8 * Max24HourSend
    ? warning(text, 'Request a higher sending quota in Service Quotas.')
    : ok(text);
};

const identitySchema = z.object({
  VerifiedForSendingStatus: z.boolean(),
  FeedbackForwardingStatus: z.boolean().default(false),
  DkimAttributes: z.object({ SigningEnabled: z.boolean(), Status: z.string() }),
  MailFromAttributes: z
    .object({ MailFromDomain: z.string().default(''), MailFromDomainStatus: z.string().default('') })
    .default({ MailFromDomain: '', MailFromDomainStatus: '' }),
});

type Identity = z.output<typeof identitySchema>;

const identityOf = async ({ get }: AwsAccount, name: string): Promise<Identity | undefined> => {
  try {
    return await get(identitySchema, 'ses', `/v2/email/identities/${encodeURIComponent(name)}`, 'email');
  } catch (thrown) {
    if (thrown instanceof AwsRefusal && thrown.status === 404) return undefined;
    throw thrown;
  }
};

/** Whether SES sends for the addresses of the deployment, signed, and from a domain of their own. */
export const senderFinding = async (account: AwsAccount): Promise<Finding> => {
  const { PLATFORM_EMAIL: address = '', PEOPLE_EMAIL: ofPeople = address } = await account.settings(
    'messaging',
    'messages-send-message',
  );
  const found = await addressFinding(account, address);
  return ofPeople === address ? found : worse(found, await addressFinding(account, ofPeople));
};

const levels = ['problem', 'warning', 'ok'];
const worse = (one: Finding, other: Finding): Finding =>
  levels.indexOf(other.level) < levels.indexOf(one.level) ? other : one;

const addressFinding = async (account: AwsAccount, address: string): Promise<Finding> => {
  const domain = address.split('@').at(-1) ?? '';
  for (const name of [...domainsAbove(domain), address]) {
    const identity = await identityOf(account, name);
    if (identity) return identityFinding(name, identity);
  }
  return problem(`SES does not know ${address}.`, `Verify ${domain} in SES, or deploy with -c MAIL_DOMAIN=${domain}`);
};

/** A verified domain covers the domains below it: `mail.shop.example`, `shop.example`. */
const domainsAbove = (domain: string): readonly string[] => {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, n) => labels.slice(n).join('.'));
};

const identityFinding = (
  name: string,
  { VerifiedForSendingStatus, FeedbackForwardingStatus, DkimAttributes, MailFromAttributes }: Identity,
): Finding => {
  const records = `Add the DNS records that SES shows for ${name}.`;
  if (!VerifiedForSendingStatus) return problem(`${name} is not verified.`, records);
  if (!DkimAttributes.SigningEnabled || DkimAttributes.Status !== 'SUCCESS')
    return problem(`${name} is verified, but its mail is not signed: DKIM is ${DkimAttributes.Status}.`, records);
  const { MailFromDomain, MailFromDomainStatus } = MailFromAttributes;
  if (MailFromDomain === '')
    return warning(
      `${name} is verified and signed, but has no MAIL FROM domain, so SPF does not align.`,
      `Set bounces.${name} as its custom MAIL FROM domain in SES.`,
    );
  if (FeedbackForwardingStatus)
    return warning(
      `SES mails each bounce and complaint of ${name} to its sender, with the recipient’s address.`,
      `aws sesv2 put-email-identity-feedback-attributes --email-identity ${name} --no-email-forwarding-enabled`,
    );
  return MailFromDomainStatus === 'SUCCESS'
    ? ok(`${name} is verified and signed, with the MAIL FROM domain ${MailFromDomain}.`)
    : warning(`The MAIL FROM domain ${MailFromDomain} is ${MailFromDomainStatus}.`, records);
};

const destinations = z.object({
  EventDestinations: z.array(z.object({ Enabled: z.boolean(), MatchingEventTypes: z.array(z.string()) })).default([]),
});
const neededEvents = ['DELIVERY', 'BOUNCE', 'COMPLAINT'];

const sendingSchema = z.object({
  SendingOptions: z.object({ SendingEnabled: z.boolean().default(true) }).default({ SendingEnabled: true }),
});

/** Whether SES sends our emails, and reports what becomes of them. */
export const configurationSetFinding = async (account: AwsAccount, stage: string): Promise<Finding> => {
  const redeploy = 'Deploy again: npm run deploy';
  const { MAIL_CONFIGURATION_SET: name } = await account.settings('messaging', 'messages-send-message');
  if (!name) return problem('The functions have no configuration set of SES.', redeploy);
  const path = `/v2/email/configuration-sets/${encodeURIComponent(name)}`;
  const { EventDestinations } = await account.get(destinations, 'ses', `${path}/event-destinations`, 'email');
  const { SendingOptions } = await account.get(sendingSchema, 'ses', path, 'email');
  const reported = EventDestinations.filter(({ Enabled }) => Enabled).flatMap((one) => one.MatchingEventTypes);
  const missing = neededEvents.filter((event) => !reported.includes(event));
  if (missing.length > 0) return problem(`${name} does not report ${missing.join(', ')}.`, redeploy);
  return !SendingOptions.SendingEnabled
    ? problem('Sending is paused: emails.', `npm run sending -- resume --stage ${stage}`)
    : ok(`${name} reports deliveries, bounces and complaints.`);
};
