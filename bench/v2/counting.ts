import { createUsageCounter } from '../../src/access/usage.ts';
import { median } from '../support/measure.ts';

const CALLS = 2_000_000;
const ROUNDS = 5;
const KEYS = Array.from({ length: 1000 }, (_, i) => String(i + 1));
const OPERATIONS = ['getMasterchainInfo', 'getAddressInformation', 'getTransactions', 'runGetMethod'];

/** CPU microseconds that counting one call takes, with calls of a thousand keys in turns. */
export async function measureCounting(): Promise<number> {
  const usage = createUsageCounter({
    database: { write: async () => undefined as never },
    log: { info() {}, warn() {}, error() {} },
    flushMs: 60_000,
    retentionSeconds: 86_400,
  });
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < CALLS; i++)
      usage.count(KEYS[i % KEYS.length]!, 'v2', OPERATIONS[i % OPERATIONS.length]!, 200);
    const { user, system } = process.cpuUsage(before);
    found.push((user + system) / CALLS);
  }
  await usage.close();
  return Number(median(found).toPrecision(2));
}
