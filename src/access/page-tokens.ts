import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isOriginOf } from './own-origin.ts';
import { createAddressGroups } from './rate-limit.ts';

/** Calls without a key that the pages of an address may make within a window, beside its anonymous rate. */
export const PAGE_CALLS = 40;
export const PAGE_WINDOW_MS = 60_000;
/** The header in which pages send their token. */
const PAGE_HEADER = 'x-tongate-page';

/** What a page of this server is told. */
interface PageToken {
  readonly token: string;
  readonly calls: number;
  readonly seconds: number;
}

/**
 * Tokens for the pages of this server, so that the first visit of somebody without a key is complete at once. They open
 * nothing: with one, a few calls of its address are counted apart from the anonymous rate. A program may pretend to be a
 * page, and gains no more than these few.
 */
export type PageTokens = ReturnType<typeof createPageTokens>;

interface PageTokenOptions {
  readonly now?: () => number;
  /** That of this server, if it has several processes. */
  readonly secret?: Buffer | undefined;
}

export function createPageTokens({ now = Date.now, secret = randomBytes(32) }: PageTokenOptions = {}) {
  const addressGroup = createAddressGroups();

  function sign(endsAt: string, ip: string): Buffer {
    return createHmac('sha256', secret)
      .update(`${endsAt} ${addressGroup(ip)}`)
      .digest()
      .subarray(0, 16);
  }

  return {
    /** A token for the page that sent a request; null if it is not one of ours. */
    issue(request: FastifyRequest): PageToken | null {
      const { headers, host, ip } = request;
      // Browsers name the site only on https and on this machine.
      const site = headers['sec-fetch-site'] ?? 'same-origin';
      if (site !== 'same-origin') return null;
      if (headers.origin !== undefined && !isOriginOf(host, headers.origin)) return null;
      const endsAt = (now() + PAGE_WINDOW_MS).toString(36);
      const token = `${endsAt}.${sign(endsAt, ip).toString('base64url')}`;
      return { token, calls: PAGE_CALLS, seconds: PAGE_WINDOW_MS / 1000 };
    },
    /** Whether a request carries a token that was issued to its address lately. */
    isCarriedBy({ headers, ip }: FastifyRequest): boolean {
      const token = headers[PAGE_HEADER];
      if (typeof token !== 'string') return false;
      const [endsAt = '', signature = ''] = token.split('.', 2);
      const [given, right] = [Buffer.from(signature, 'base64url'), sign(endsAt, ip)];
      return (
        given.length === right.length && timingSafeEqual(given, right) && Number.parseInt(endsAt, 36) > now()
      );
    },
  };
}
