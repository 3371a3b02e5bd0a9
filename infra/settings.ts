import type { Node } from 'constructs';

/** The settings of a deployment, with their defaults. Set them as CDK context (`-c NAME=value`) or, for `npm start`, in the environment. */
export const settings = {
  LOG_LEVEL: 'info',
  /** The sender's address when the account's own domain is not verified. On AWS it must be a verified identity of SES. */
  PLATFORM_EMAIL: 'no-reply@platform.example',
  /** Seconds after which a send can no longer be running: more than any function's timeout. */
  SEND_GIVE_UP_SECONDS: '60',
  /** Seconds to wait for a report of an sms or whatsapp message that a provider may have accepted; at most 900. */
  TEXT_GIVE_UP_SECONDS: '900',
  /** Which addresses accounts may set as webhook targets and sms gateways: `public` ones only, or `any`. */
  WEBHOOK_TARGETS: 'public',
  /** Seconds before each retry of a webhook delivery, counted from the end of the previous attempt. */
  WEBHOOK_RETRY_DELAYS: '5,60,300,1800',
  /** Seconds until an open checkout session expires. */
  CHECKOUT_SESSION_TTL: '86400',
  /** Seconds until a pending test payment of the amount 1002 expires. */
  SIM_TIMEOUT_SECONDS: '60',
  /** Base URLs that replace the payment gateways' own hosts, without a trailing slash. Empty: their own hosts. */
  SSLCOMMERZ_URL: '',
  BKASH_URL: '',
  /** The sms provider of accounts that have not chosen one: `aws`, `simulator` (on the local stack only), or `none`. */
  SMS_PROVIDER: 'aws',
  /** The same for WhatsApp messages, which require an account with Meta: `simulator` or `none`. */
  WHATSAPP_PROVIDER: 'none',
  /** The base URL of links in mails, without a trailing slash. Empty: the API's own endpoint. */
  PUBLIC_BASE_URL: '',
} as const;

export type SettingName = keyof typeof settings;

export const settingOf = (node: Node, name: SettingName): string => String(node.tryGetContext(name) ?? settings[name]);
