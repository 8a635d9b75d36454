import { runClassification } from '../../../../src/indexer/classify/classify-loop.ts';
import { openConnections, TIMING } from './classifying.ts';

// Classifies in a process of its own, to be killed; says so when it has written something. Arguments: the URL of the database.
// It takes few traces at once, so that there are many moments to be killed at.

export const [url = ''] = process.argv.slice(2);
// Nobody is left to kill it.
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
