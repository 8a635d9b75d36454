/** First parts of paths: names of files of IPFS in any base, and of bags of TON Storage. */
const NAME = /^[\w-]+$/;

/**
 * The address at a gateway of a link such as `ipfs://name/path`; undefined for other links, and for those that would
 * lead to something else at the gateway, which may be a machine that only we can reach.
 */
export function gatewayUrl(link: string, scheme: 'ipfs' | 'tonstorage', gateway: string): URL | undefined {
  const prefix = `${scheme}://`;
  if (link.slice(0, prefix.length).toLowerCase() !== prefix) return undefined;
  // Some write the path of gateways after the scheme as well.
  const path = link.slice(prefix.length).replace(/^\/*(?:ipfs\/)?/, '');
  const name = /^[^/?#\\]*/.exec(path)![0];
  const prefixUrl = gateway.endsWith('/') ? gateway : `${gateway}/`;
  if (!NAME.test(name) || !URL.canParse(path, prefixUrl)) return undefined;
  const base = new URL(prefixUrl);
  const url = new URL(path, base);
  const isInside = url.origin === base.origin && url.pathname.startsWith(`${base.pathname}${name}`);
  return isInside ? url : undefined;
}
