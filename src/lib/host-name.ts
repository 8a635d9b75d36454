import { isIP } from 'node:net';

/** A host and a port as RFC 3986 writes them, and nothing that a parser of URLs would read into them. */
const HOST = /^(?:\[([\da-f:.]+)\]|((?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*))(?::(\d*))?$/i;

/** The name or address in a `Host` header, in lower case and without brackets; undefined if it is malformed. */
export function hostNameOf(header: string): string | undefined {
  const [, ipv6, name] = HOST.exec(header) ?? [];
  if (ipv6 !== undefined) return isIP(ipv6) === 6 ? ipv6.toLowerCase() : undefined;
  return name?.toLowerCase();
}

/** Whether a host name or address stands for this machine. */
export function isLoopback(host: string): boolean {
  const name = plainAddress(host);
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** An IPv4 address as a dual-stack socket shows it is an IPv4 address. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}
