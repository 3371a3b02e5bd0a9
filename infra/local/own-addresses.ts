const ownAddresses = ['localhost', '127.0.0.1', '[::1]'];

/** `fetch` asks a proxy of the environment for this machine too, with `NODE_USE_ENV_PROXY` or `--use-env-proxy`. It prefers the name in small letters. */
export const reachOwnAddressesDirectly = (environment: NodeJS.ProcessEnv = process.env): void => {
  const name = environment['no_proxy'] === undefined ? 'NO_PROXY' : 'no_proxy';
  // Alone, it stands for all addresses; in a list, for none.
  if (environment[name] === '*') return;
  environment[name] = [environment[name], ...ownAddresses].filter(Boolean).join(',');
};
