import type { FastifyRequest } from 'fastify';
import { Failure } from '../lib/errors.ts';
import { hostNameOf, isLoopback, plainAddress } from '../lib/host-name.ts';
import { quoted } from '../lib/wrong-value.ts';

/**
 * Creates a check that throws unless a request was sent to a name of this server, and not by a page of another origin:
 * what a browser does for a page of somebody else must not be done for the operator who sits before it. Names of this
 * server are those of the machine itself, the address that was connected to, and the given ones; any other name may
 * have been pointed here by whoever owns it.
 */
export function createOriginCheck(ownNames: readonly string[]) {
  const names = new Set(ownNames.map((name) => name.toLowerCase()));

  function isOwn(name: string, { raw }: FastifyRequest): boolean {
    return isLoopback(name) || names.has(name) || name === plainAddress(raw.socket.localAddress ?? '');
  }

  return (request: FastifyRequest): void => {
    const { headers, host } = request;
    const name = hostNameOf(host);
    if (name === undefined || name === '' || !isOwn(name, request))
      throw refusal(`the host ${quoted(host)} is not a name of this server, which ALLOWED_HOSTS lists`);
    // `same-site` are pages of other ports, too.
    const site = headers['sec-fetch-site'];
    const isOther = site !== undefined && site !== 'same-origin' && site !== 'none';
    if (isOther || (headers.origin !== undefined && !isOriginOf(host, headers.origin)))
      throw refusal(
        'this is not for pages of other origins; a reverse proxy must pass on the Host that a browser sent',
      );
  };
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** Whether the origin that a browser names is that of the host it sent a request to. */
export function isOriginOf(host: string, origin: string): boolean {
  const [, scheme = '', rest] = /^(https?):\/\/(.+)$/i.exec(origin) ?? [];
  if (rest === undefined) return false;
  const port = DEFAULT_PORTS[scheme.toLowerCase()]!;
  const [own, given] = [host, rest].map((text) => text.toLowerCase());
  return own === given || own === given + port;
}

function refusal(text: string): Failure {
  return new Failure('network_not_allowed', `Refused: ${text}`);
}
