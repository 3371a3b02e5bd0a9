import { isIPv6 } from 'node:net';

/**
 * The client of an address. For IPv6 it is the first 64 bits (`2001:db8::1` is `2001:db8:0:0`), because one client usually owns all
 * addresses of that network.
 */
export const clientAt = (address: string): string => {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [before = [], after = []] = address.split('::').map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};
