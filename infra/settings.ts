import type { Node } from 'constructs';

/** What a deployment may set, as CDK context (`-c NAME=value`) or, for `npm start`, in the environment; with what holds otherwise. */
export const settings = {
  LOG_LEVEL: 'info',
  /** The address that mail comes from when the sender's own domain is not verified. On AWS it must be a verified identity of SES. */
  PLATFORM_EMAIL: 'no-reply@platform.example',
  /** How long after it began a send can no longer be under way: more than any function may run. */
  SEND_GIVE_UP_SECONDS: '60',
  /** Which targets webhooks may call: `public` addresses only, or `any`. */
  WEBHOOK_TARGETS: 'public',
  /** Seconds before each attempt of a webhook delivery after the first, from the end of the attempt before. */
  WEBHOOK_RETRY_DELAYS: '5,60,300,1800',
  /** Where links in mails lead, without a slash at the end. Empty: to the API's own endpoint. */
  PUBLIC_BASE_URL: '',
} as const;

export type SettingName = keyof typeof settings;

export const settingOf = (node: Node, name: SettingName): string => String(node.tryGetContext(name) ?? settings[name]);
