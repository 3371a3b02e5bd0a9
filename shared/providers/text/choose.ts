import type { AccountSettings } from '../../accounts/account.ts';
import type { AwsService } from '../../aws/aws-service.ts';
import { metaSettingsOf, smsSettingsOf, type TextDeployment } from '../../messages/text-settings.ts';
import type { SendRequest } from '../http/pinned-request.ts';
import { awsSms } from './aws-sms.ts';
import { httpSms } from './http-sms.ts';
import { metaWhatsapp } from './meta-whatsapp.ts';
import type { TextProvider } from './text-provider.ts';

interface SmsNeeds {
  readonly deployment: TextDeployment;
  readonly aws: AwsService;
  /** The configuration set of accounts without their own; undefined in a deployment of another provider than AWS. */
  readonly configurationSetName: string | undefined;
  /** Calls the gateways of accounts. */
  readonly request: SendRequest;
  /** Calls the deployment's own simulator at any address. */
  readonly requestAnywhere: SendRequest;
}

/** The sms provider of an account; undefined when it has none. */
export const smsProviderFor =
  ({ deployment, aws, configurationSetName, request, requestAnywhere }: SmsNeeds) =>
  (account: Pick<AccountSettings, 'sms'>): TextProvider | undefined => {
    const settings = smsSettingsOf(account, deployment);
    const { sender } = account.sms;
    switch (settings?.kind) {
      case 'aws':
        return awsSms({
          service: aws,
          sender,
          configurationSetName: settings.configurationSetName ?? configurationSetName,
        });
      case 'http':
        return httpSms(settings, { sender, request: settings.isSimulator ? requestAnywhere : request });
      default:
        return undefined;
    }
  };

/** The WhatsApp provider of an account; undefined when it has none. */
export const whatsappProviderFor =
  ({ deployment, request }: { readonly deployment: TextDeployment; readonly request: SendRequest }) =>
  (account: Pick<AccountSettings, 'whatsapp'>): TextProvider | undefined => {
    const settings = metaSettingsOf(account, deployment);
    return settings && metaWhatsapp(settings, { request });
  };
