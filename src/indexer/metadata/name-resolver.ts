import { Resolver } from 'node:dns/promises';

/** Finds the addresses of host names. */
export interface NameResolver {
  resolve(host: string): Promise<readonly string[]>;
  /** Ends what is under way. */
  close(): void;
}

const TIMEOUT_MS = 4000;
const TRIES = 2;

/**
 * Asks name servers itself. The system's own way takes one of a few threads for as long as a name server is silent, and
 * knows names of private machines besides.
 */
export function createNameResolver(): NameResolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return {
    async resolve(host) {
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
      return found;
    },
    close: () => resolver.cancel(),
  };
}
