import { existsSync, writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { decodeSeqno } from '../../../../src/indexer/decode/decode-seqno.ts';
import {
  fromWire,
  type JobWire,
  packSeqno,
  type ReplyWire,
} from '../../../../src/indexer/decode/worker-messages.ts';

/** A thread for tests: some seqnos end it, or keep it busy for ever; others are decoded. */

export const marker = process.env.DIED_ONCE!;

parentPort!.on('message', (job: JobWire) => {
  const { number, mcSeqno } = job;
  if (mcSeqno === 100) return process.exit(3);
  if (mcSeqno === 101) throw new Error('broken on purpose');
  if (mcSeqno === 102 && !existsSync(marker)) {
    writeFileSync(marker, '');
    return process.exit(4);
  }
  if (mcSeqno === 103) for (;;);
  parentPort!.postMessage({ number, packed: packSeqno(decodeSeqno(fromWire(job))) } satisfies ReplyWire);
});
