const CASELESS_PATH = /^\/api\/(?:v3|emulate)(?=[/?]|$)/i;

/**
 * Maps a request's URL to the one the router knows: the prefix under which a proxy forwards is cut off, and paths of
 * v3 and of emulate are lower-cased because these ignore letter case while v2 does not. Queries stay untouched.
 */
export function createUrlRewriter(pathPrefix: string): (url: string) => string {
  return (url) => {
    let routed = url;
    if (pathPrefix !== '' && url.startsWith(pathPrefix)) {
      const rest = url.slice(pathPrefix.length);
      if (rest === '' || rest[0] === '?') routed = `/${rest}`;
      else if (rest[0] === '/') routed = rest;
    }
    if (routed.startsWith('/api/v2/') || !CASELESS_PATH.test(routed)) return routed;
    const queryAt = routed.indexOf('?');
    if (queryAt === -1) return routed.toLowerCase();
    return routed.slice(0, queryAt).toLowerCase() + routed.slice(queryAt);
  };
}
