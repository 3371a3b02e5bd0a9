import type { Node } from 'constructs';

/** What a deployment may set, as CDK context (`-c NAME=value`) or, for `npm start`, in the environment; with what holds otherwise. */
export const settings = {
  LOG_LEVEL: 'info',
  /** The address that mail comes from when the sender's own domain is not verified. On AWS it must be a verified identity of SES. */
  PLATFORM_EMAIL: 'no-reply@platform.example',
  /** How long after it began a send can no longer be under way: more than any function may run. */
  SEND_GIVE_UP_SECONDS: '60',
  /** How long a report is waited for of an sms or whatsapp message that a provider may or may not have taken; 900 at most. */
  TEXT_GIVE_UP_SECONDS: '900',
  /** Which addresses that accounts name may be called, as targets of webhooks and gateways of sms: `public` ones only, or `any`. */
  WEBHOOK_TARGETS: 'public',
  /** Seconds before each attempt of a webhook delivery after the first, from the end of the attempt before. */
  WEBHOOK_RETRY_DELAYS: '5,60,300,1800',
  /** Seconds until an open checkout session expires. */
  CHECKOUT_SESSION_TTL: '86400',
  /** Seconds that a test payment of the amount 1002 stays pending before it expires. */
  SIM_TIMEOUT_SECONDS: '60',
  /** Where payment gateways are called instead of at their own hosts, without a slash at the end. Empty: there. */
  SSLCOMMERZ_URL: '',
  BKASH_URL: '',
  /** How sms leave for accounts that have not chosen: `aws`, `simulator` (on the local stack only), or `none`. */
  SMS_PROVIDER: 'aws',
  /** The same of WhatsApp messages, which need an account with Meta: `simulator` or `none`. */
  WHATSAPP_PROVIDER: 'none',
  /** Where links in mails lead, without a slash at the end. Empty: to the API's own endpoint. */
  PUBLIC_BASE_URL: '',
} as const;

export type SettingName = keyof typeof settings;

export const settingOf = (node: Node, name: SettingName): string => String(node.tryGetContext(name) ?? settings[name]);
