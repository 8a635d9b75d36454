import type { Log } from '../../lib/log.ts';
import { writeDurably } from '../chain/durable-file.ts';
import { createDemoChain } from './create-demo-chain.ts';
import type { DemoSummary } from './demo-summary.ts';
import { runDemo } from './run-demo.ts';

/** Fills a running chain with the demo and writes to a file where everything is. */
export function prepareDemo(
  localnet: Parameters<typeof createDemoChain>[0],
  path: string,
  log: Log,
): Promise<DemoSummary> {
  return runDemo({
    chain: createDemoChain(localnet),
    save: (summary) => writeDurably(path, `${JSON.stringify(summary, null, 2)}\n`, 0o644),
    log,
  });
}
