/**
 * The settings of every test stack: short waits, and one set for all, because an assembly that was made with others would have to be made
 * again.
 */
export const stackEnvironment = {
  LOG_LEVEL: 'info',
  SEND_GIVE_UP_SECONDS: '3',
  SIM_TIMEOUT_SECONDS: '3',
  TEXT_GIVE_UP_SECONDS: '3',
  WEBHOOK_RETRY_DELAYS: '1,1,1,1',
};
