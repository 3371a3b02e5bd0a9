import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clientAt } from './client-address.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:DB8:0:00ff:1:2:3:4', '2001:db8:0:ff'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['', ''],
  ['not:an:address', 'not:an:address'],
])('%s is %s', (address, client) => {
  expect(clientAt(address)).toBe(client);
});

it('the client of an address is the same for a whole network in any notation, and different for other networks', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const half = fc.tuple(group, group, group, group);
  const text = (groups: readonly number[]) => groups.map((each) => each.toString(16)).join(':');
  const shortened = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);
  fc.assert(
    fc.property(half, half, half, half, (network, other, one, two) => {
      expect(clientAt(shortened(text([...network, ...one])))).toBe(clientAt(text([...network, ...two])));
      const isSame = text(network) === text(other);
      expect(clientAt(text([...network, ...one])) === clientAt(text([...other, ...one]))).toBe(isSame);
    }),
  );
});
