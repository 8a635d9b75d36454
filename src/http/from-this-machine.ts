import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

/**
 * Whether a request was made on this machine, and neither by a page of another site in a browser on it nor through a
 * proxy on it. A page without scripts of its own (an image, a script tag) sends no `Origin`, but browsers say where it is
 * from in `Sec-Fetch-Site`.
 */
export function isFromThisMachine({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): boolean {
  if (!isLoopback(ip) || FORWARDED.some((name) => headers[name] !== undefined)) return false;
  if (headers['sec-fetch-site'] === 'cross-site' && headers.origin === undefined) return false;
  const named = [`http://${headers.host ?? 'localhost'}`, headers.origin ?? 'http://localhost'];
  return named.every((url) => URL.canParse(url) && isLoopback(new URL(url).hostname));
}

/** Whether a host name or address stands for this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/, '');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
