import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isPublicAddress, type NameResolver } from '../../../../src/indexer/metadata/fetch-document.ts';

/** A server of documents that a test tells what to do. */
export interface DocumentServer {
  readonly port: number;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  /** The address of a path, by the IP of the server or by a name. */
  at(path: string, host?: string): string;
  on(path: string, listener: RequestListener): void;
  /** Answers with JSON of a value. */
  serve(path: string, value: unknown): void;
  close(): Promise<void>;
}

/** Listens on loopback, with TLS if wanted; paths that nobody has set are not found. */
export async function createDocumentServer(isSecure = false): Promise<DocumentServer> {
  const listeners = new Map<string, RequestListener>();
  const asked: string[] = [];
  const answer: RequestListener = (request, response) => {
    asked.push(request.url!);
    const listener = listeners.get(request.url!);
    if (listener === undefined) response.writeHead(404).end('{"name": "not found"}');
    else listener(request, response);
  };
  const server = isSecure ? createSecureServer(TEST_CERTIFICATE, answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
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

/** The rule of addresses in tests: 127.0.0.1 is public, all else is as it is. */
export const isPublicHere = (address: string) => address === '127.0.0.1' || isPublicAddress(address);

/** Names that a test makes up; others are not known. */
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

/** A certificate for `tokens.test` that it signed itself, good until 2120; no secret, nobody else trusts it. */
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
