import { runClassification } from '../../../src/classify/classify-loop.ts';
import { openConnections, TIMING } from './classifying.ts';

// A classifier process for crash tests, which reports every write. Argument: the URL of the database. Its batches are
// small, so that it can be killed at many points.

export const [url = ''] = process.argv.slice(2);
// The test has exited.
process.once('disconnect', () => process.exit());
export const log = { info() {}, warn() {}, error: console.error };
await runClassification({
  connections: openConnections({ url }),
  log,
  timing: TIMING,
  signal: new AbortController().signal,
  limits: { traces: 3, nodes: 6 },
  onBatch: () => process.send?.('written'),
});
