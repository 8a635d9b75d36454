import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks that are not public: those of the IANA special-purpose registry, multicast, and addresses that look public
 * and behind which clouds have services for their own machines. Others of clouds are in special networks: 169.254.169.254
 * of most, 100.100.100.200 of Alibaba, 192.0.0.192 of Oracle, fd00:ec2::254 of Amazon.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure: the host of a machine.
  '168.63.129.16/32',
  // Google: its interfaces for machines without a public address.
  '199.36.153.4/30',
  '199.36.153.8/30',
  // IBM: services and name servers.
  '161.26.0.0/16',
  '166.8.0.0/14',
];

const specialIpv4 = listOf(SPECIAL_IPV4, 'ipv4');
/** The allocated IPv6 space; loopback, unique-local, link-local, mapped and translated IPv4 are outside of it. */
const globalIpv6 = listOf(['2000::/3'], 'ipv6');
/** Special networks within it: protocol assignments (Teredo), documentation, 6to4, interfaces of Google for its machines. */
const specialIpv6 = listOf(
  ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2600:2d00:2:1000::/56', '2600:2d00:2:2000::/56'],
  'ipv6',
);

/** Whether an IP address is public, so that untrusted links may connect to it. */
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

/** Domains of local names: IANA's special-use names, and the ones that clouds and routers use. */
const PRIVATE_DOMAINS = new Set('localhost local internal lan home corp intranet localdomain'.split(' '));

/** Whether a host name only means something in a private network: one without a dot, or in such a domain. */
export function isPrivateName(host: string): boolean {
  const labels = host.split('.');
  return labels.length < 2 || PRIVATE_DOMAINS.has(labels.at(-1)!) || host.endsWith('.home.arpa');
}
