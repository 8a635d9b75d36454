import { isIP, isIPv4 } from 'node:net';
import type { Kind } from './kinds.ts';

const MAX_HOPS = 32;

/** An address to listen on. */
export const host: Kind<string> = {
  expected: 'an IP address or a host name',
  read: (text) => {
    if (isIP(text) !== 0) return text;
    const isName =
      /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i.test(text);
    // A name whose last label is a number is an address with a typing error.
    return isName && !/(^|\.)\d+$/.test(text) ? text : undefined;
  },
};

/**
 * Which proxies may say where a request came from, as Fastify's `trustProxy` option takes it, but for a number of
 * hops: Fastify 5.12 trusts nobody when it gets a bare number, so it must get `(_, hop) => hop < hops` instead.
 */
export const trustProxy: Kind<boolean | number | string[]> = {
  expected:
    '`off`, `on`, a number of hops from 1 to 32, or a list of IP addresses and ranges such as `10.0.0.0/8,::1`',
  read: (text) => {
    if (text === 'off') return false;
    if (text === 'on') return true;
    if (/^\d+$/.test(text)) {
      const hops = Number(text);
      return hops >= 1 && hops <= MAX_HOPS ? hops : undefined;
    }
    const ranges = text.split(',').map((range) => range.trim());
    return ranges.every(isAddressOrRange) ? ranges : undefined;
  },
};

/** Fastify refuses a prefix length of 0 ("everybody" is `on`) and cannot match a zone (`%eth0`). */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
}
