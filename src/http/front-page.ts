/** A gate, as the icon of all pages. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5fff"/><path d="M8 25V14a8 8 0 0 1 16 0v11M16 25V11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>';

interface FrontPageOptions {
  readonly version: string;
  readonly network: string;
  /** Whether the commands to a local chain are served. */
  readonly hasLocalChain?: boolean;
}

/** The page at `/`: where everything is, in one screen. */
export function frontPage({ version, network, hasLocalChain = false }: FrontPageOptions): string {
  const local = hasLocalChain
    ? `
  <tr><td><a href="localnet/">/localnet</a></td><td>commands to the local chain
    (<a href="localnet/openapi.json">openapi.json</a>, <a href="localnet/status">status</a>)</td></tr>`
    : '';
  const key = hasLocalChain
    ? ' The key of this local chain is in the file <code>localnet-api-key</code> of its data directory; the pages have it filled in on this machine.'
    : '';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>tongate (${network})</title>
<link rel="icon" type="image/svg+xml" href="favicon.ico">
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
  code { background: #8882; padding: .1em .3em; border-radius: .2em; }
  td { padding: .2rem 1rem .2rem 0; vertical-align: top; }
  :root { color-scheme: light dark; }
</style>
<h1>tongate ${version}</h1>
<p>HTTP access to the TON blockchain. Network: <strong>${network}</strong>.</p>
<table>
  <tr><td><a href="api/v2/">/api/v2</a></td><td>live data from lite servers, REST and JSON-RPC
    (<a href="api/v2/openapi.json">openapi.json</a>)</td></tr>
  <tr><td><a href="api/v3/">/api/v3</a></td><td>the index
    (<a href="api/v3/openapi.json">openapi.json</a>, <a href="api/v3/doc.json">doc.json</a>)</td></tr>
  <tr><td><a href="api/emulate/">/api/emulate</a></td><td>what messages would do
    (<a href="api/emulate/openapi.json">openapi.json</a>)</td></tr>
  <tr><td><a href="healthz">/healthz</a></td><td>the process is alive</td></tr>
  <tr><td><a href="readyz">/readyz</a></td><td>the service can answer</td></tr>
  <tr><td><a href="status">/status</a></td><td>the lite servers, the newest block and the index</td></tr>${local}
</table>
<p>Open the page of an API to try its requests. Send your API key as the header <code>X-API-Key</code> or as the query parameter <code>api_key</code>.
Without a key the rate is low, and a request above it gets 429 with <code>Retry-After</code>.${key}</p>
</html>
`;
}
