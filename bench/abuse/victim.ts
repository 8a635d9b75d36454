import { setTimeout as sleep } from 'node:timers/promises';
import { beginCell } from '@ton/core';
import { type Call, createClient } from '../support/client.ts';
import { MINTER, ownerOf } from './content.ts';

/** The operations that the victim asks, in the order of the report. */
export const OPERATIONS = ['getMasterchainInfo', 'runGetMethod', 'v3/transactions'] as const;
type Operation = (typeof OPERATIONS)[number];

/** What the victim saw of one operation. */
export interface Seen {
  readonly requests: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The first failure. */
  readonly failure?: string;
}

export type SeenByOperation = Readonly<Record<Operation, Seen>>;

/** A client with an API key that asks at a steady pace. */
export interface Victim {
  /** Asks all operations for a time. */
  readonly watch: (seconds: number) => Promise<SeenByOperation>;
}

/** Between an answer and the next request. */
const PAUSE_MS = 20;
/** As long as a server may take; a client that waits longer has given up. */
const TIMEOUT_MS = 12_000;

export function createVictim(url: string, apiKey: string): Victim {
  const { ask } = createClient({ url, apiKey, timeoutMs: TIMEOUT_MS });
  let number = 0;
  const callOf: Record<Operation, () => Call> = {
    getMasterchainInfo: () => ({ method: 'GET', path: '/api/v2/getMasterchainInfo' }),
    // A new owner each time, so that the method runs and no cache answers.
    runGetMethod: () => ({ method: 'POST', path: '/api/v2/runGetMethod', body: walletAddress(number++) }),
    'v3/transactions': () => ({
      method: 'GET',
      path: `/api/v3/transactions?limit=10&offset=${number++ % 1000}`,
    }),
  };

  async function watchOne(operation: Operation, untilMs: number): Promise<Seen> {
    const latenciesMs: number[] = [];
    const failures: string[] = [];
    while (performance.now() < untilMs) {
      const startedMs = performance.now();
      try {
        const { status, text } = await ask(callOf[operation]());
        if (status !== 200) failures.push(`${status} ${text.slice(0, 200)}`);
      } catch (error) {
        failures.push(String(error));
      }
      latenciesMs.push(performance.now() - startedMs);
      await sleep(PAUSE_MS);
    }
    latenciesMs.sort((a, b) => a - b);
    const at = (share: number): number => latenciesMs[Math.floor((latenciesMs.length - 1) * share)]!;
    return {
      requests: latenciesMs.length,
      failures: failures.length,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      ...(failures.length > 0 && { failure: failures[0]! }),
    };
  }

  return {
    async watch(seconds) {
      const untilMs = performance.now() + seconds * 1000;
      const seen = await Promise.all(
        OPERATIONS.map(async (operation) => [operation, await watchOne(operation, untilMs)] as const),
      );
      return Object.fromEntries(seen) as Record<Operation, Seen>;
    },
  };
}

function walletAddress(number: number): string {
  const owner = beginCell().storeAddress(ownerOf(number)).endCell().toBoc().toString('base64');
  return JSON.stringify({
    address: MINTER.address.toString(),
    method: 'get_wallet_address',
    stack: [['tvm.Slice', owner]],
  });
}
