import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not of the public internet (IANA's list of special addresses, and multicast). */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];

/** All that is given out of IPv6; loopback, unique-local, link-local, mapped and translated IPv4 are outside of it. */
const GLOBAL_IPV6 = ['2000::/3'];

/** Special networks within: of protocols (Teredo too), for documents, and 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const specialIpv4 = listOf(SPECIAL_IPV4, 'ipv4');
const globalIpv6 = listOf(GLOBAL_IPV6, 'ipv6');
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6');

/** Whether an IP address is one of the public internet, so that strangers may make us connect to it. */
export function isPublicAddress(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !specialIpv4.check(address, 'ipv4');
  return family === 6 && globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/');
    list.addSubnet(address!, Number(bits), family);
  }
  return list;
}
