import { BlockList, isIP } from 'node:net';

/** Everything of IPv4 that is not global unicast (IANA's special-purpose registry, multicast, and the old 6to4 relays). */
const reservedIpv4: readonly (readonly [net: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Global unicast of IPv6 is all in here; loopback, link-local, unique local, multicast, NAT64 and IPv4 in all its disguises but two are not. */
const globalIpv6 = ['2000::', 3] as const;

/** What is not global unicast in there: protocol assignments with Teredo and ORCHID, documentation, 6to4, and 6bone. */
const reservedIpv6: readonly (readonly [net: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3ffe::', 16],
  ['3fff::', 20],
];

const reserved = new BlockList();
for (const [net, prefix] of reservedIpv4) reserved.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of reservedIpv6) reserved.addSubnet(net, prefix, 'ipv6');

const globalUnicast = new BlockList();
globalUnicast.addSubnet(...globalIpv6, 'ipv6');

/**
 * True for an address of the public internet: global unicast, of IPv4 or IPv6. What is no address at all, has a zone, or carries an IPv4
 * address inside an IPv6 one is not public, regardless of what is inside.
 */
export const isPublicAddress = (address: string): boolean => {
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, 'ipv4');
    case 6:
      return globalUnicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
    default:
      return false;
  }
};
