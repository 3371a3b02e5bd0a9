/**
 * The settings of every test stack, with short waits. All stacks share them, because other settings would require another
 * synthesis.
 */
export const stackEnvironment = {
  LOG_LEVEL: 'info',
  SEND_GIVE_UP_SECONDS: '3',
  TEXT_GIVE_UP_SECONDS: '3',
  WEBHOOK_RETRY_DELAYS: '1,1,1,1',
};
