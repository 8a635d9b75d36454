import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { MetadataFault } from './metadata-fault.ts';

export interface GetOptions {
  /** Left out, the system looks names up. */
  readonly lookup?: LookupFunction | undefined;
  readonly connectMs: number;
  readonly signal: AbortSignal;
}

const HEADERS = {
  accept: 'application/json, */*;q=0.5',
  'accept-encoding': 'identity',
  'user-agent': 'tongate',
};

/** Sends one request over a connection of its own, and gives the head of the answer with the body still to come. */
export function httpGet(url: URL, { lookup, connectMs, signal }: GetOptions): Promise<http.IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(url, {
      ...{ agent: false, headers: HEADERS, signal },
      ...(lookup === undefined ? {} : { lookup }),
    });
    const timer = setTimeout(() => {
      request.destroy(new MetadataFault('silent', 'no connection in time'));
    }, connectMs);
    request.once('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    });
    request.once('response', resolve);
    // It stays, since a connection can fail more than once.
    request.on('error', reject);
    request.once('close', () => {
      clearTimeout(timer);
      reject(new MetadataFault('failed', 'the connection ended without an answer'));
    });
    request.end();
  });
}

/**
 * Looks names up and gives only addresses that pass. The connection is made to these and nothing is looked up again, so
 * that a name server cannot give another answer after the check.
 */
export function checkedLookup(
  resolve: (host: string) => Promise<readonly string[]>,
  isPublic: (address: string) => boolean,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const found = addresses
          .filter((address) => isPublic(address))
          .map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (first === undefined) callback(new MetadataFault('refused', 'the address is not public'), '');
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}
