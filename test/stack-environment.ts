/** The settings of every test stack, unless a test wishes others. An assembly that was made with others would be made again. */
export const stackEnvironment = { LOG_LEVEL: 'info' };
