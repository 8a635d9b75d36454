/** A decoding thread for tests: some seqnos end it or keep it busy forever; others are decoded. */
import { existsSync, writeFileSync } from 'node:fs';
import { decodeSeqno } from '../../../../src/indexer/decode/decode-seqno.ts';
import {
  fromWire,
  type JobWire,
  packSeqno,
  type ReplyWire,
} from '../../../../src/indexer/decode/worker-messages.ts';
import { serveJobs } from '../../../../src/lib/worker-jobs.ts';

export const marker = process.env.DIED_ONCE!;

serveJobs<JobWire, ReplyWire>((job, step) => {
  const { mcSeqno } = job;
  step();
  if (mcSeqno === 100) return process.exit(3);
  if (mcSeqno === 101) throw new Error('broken on purpose');
  if (mcSeqno === 102 && !existsSync(marker)) {
    writeFileSync(marker, '');
    return process.exit(4);
  }
  if (mcSeqno === 103) for (;;);
  const packed = packSeqno(decodeSeqno(fromWire(job)));
  step();
  return { packed };
});
