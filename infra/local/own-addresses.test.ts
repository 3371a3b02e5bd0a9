import { expect, it } from 'vitest';
import { reachOwnAddressesDirectly } from './own-addresses.ts';

const own = 'localhost,127.0.0.1,[::1]';

it.each([
  [{}, { NO_PROXY: own }],
  [{ NO_PROXY: 'a.example' }, { NO_PROXY: `a.example,${own}` }],
  [
    { NO_PROXY: 'a.example', no_proxy: 'b.example' },
    { NO_PROXY: 'a.example', no_proxy: `b.example,${own}` },
  ],
  // No proxy at all: in a list, the star would mean nothing.
  [{ NO_PROXY: '*' }, { NO_PROXY: '*' }],
])('own addresses join those without a proxy: %j', (environment: Record<string, string>, joined) => {
  reachOwnAddressesDirectly(environment);
  expect(environment).toEqual(joined);
});
