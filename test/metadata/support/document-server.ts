import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { NameResolver } from '../../../src/lib/outbound-http.ts';
import { isPublicAddress } from '../../../src/lib/public-address.ts';

/** An HTTP server for metadata documents, controlled by a test. */
export interface DocumentServer {
  readonly port: number;
  /** Requested paths, in order. */
  readonly requests: string[];
  /** The URL of a path, with the IP of the server or a host name. */
  at(path: string, host?: string): string;
  on(path: string, listener: RequestListener): void;
  /** Responds with a value as JSON. */
  serve(path: string, value: unknown): void;
  close(): Promise<void>;
}

/** Listens on loopback, optionally with TLS; paths without a handler are not found. */
export async function createDocumentServer(isSecure = false): Promise<DocumentServer> {
  const listeners = new Map<string, RequestListener>();
  const requests: string[] = [];
  const handle: RequestListener = (request, response) => {
    requests.push(request.url!);
    const listener = listeners.get(request.url!);
    if (listener === undefined) response.writeHead(404).end('{"name": "not found"}');
    else listener(request, response);
  };
  const server = isSecure ? createSecureServer(TEST_CERTIFICATE, handle) : createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    at: (path, host = '127.0.0.1') => `http${isSecure ? 's' : ''}://${host}:${port}${path}`,
    on: (path, listener) => listeners.set(path, listener),
    serve: (path, value) => listeners.set(path, (_, response) => response.end(JSON.stringify(value))),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The address filter in tests: 127.0.0.1 counts as public, all others are unchanged. */
export const isPublicHere = (address: string) => address === '127.0.0.1' || isPublicAddress(address);

/** Host names of a test; others do not resolve. */
export function createTestNames(names: Readonly<Record<string, readonly string[]>> = {}): NameResolver {
  return {
    async resolve(host) {
      const addresses = names[host];
      if (addresses === undefined) throw Object.assign(new Error('not known'), { code: 'ENOTFOUND' });
      return addresses;
    },
    close() {},
  };
}

/** A self-signed certificate for `tokens.test`, valid until 2120; not a secret, since nobody else trusts it. */
export const TEST_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7c7IJCaPc13vyLH6
xzQi52nEBToEjCGosNL0OfSjCsOhRANCAAReIb21LFGNPbyvfw0yuj1aeT7dK+yl
t33lUPWUSEFxZ9G5jx19Mshc2yHqZ8Taf3/BYrH7QcVxFYc+PCBmJyia
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAt0b2tlbnMu
dGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
AwwLdG9rZW5zLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAReIb21LFGN
Pbyvfw0yuj1aeT7dK+ylt33lUPWUSEFxZ9G5jx19Mshc2yHqZ8Taf3/BYrH7QcVx
FYc+PCBmJyiao0owSDAWBgNVHREEDzANggt0b2tlbnMudGVzdDAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBRr2CCctBJs4dopGqwfDeb1fajPfDAKBggqhkjOPQQD
AgNIADBFAiEA0a2SOa3veh3k2IBQWDsXcYD3yOfIX1c52RWTuvBQWvkCIFt4XENF
hPDhSwFUqeZL9lgLkIc7uAM2ydok4bU9kPni
-----END CERTIFICATE-----
`,
} as const;
