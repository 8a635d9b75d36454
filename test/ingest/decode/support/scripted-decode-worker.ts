/** A decoding thread for tests: some seqnos end it or keep it busy forever; others are decoded. */
import { existsSync, writeFileSync } from 'node:fs';
import { decodeSeqno } from '../../../../src/ingest/decode/decode-seqno.ts';
import { decodeJob, type JobWire, type ReplyWire } from '../../../../src/ingest/decode/worker-messages.ts';
import { serveJobs } from '../../../../src/lib/worker-jobs.ts';

export const marker = process.env.DIED_ONCE!;

serveJobs<JobWire, ReplyWire>((job, step) => {
  step();
  for (const { mcSeqno } of job.seqnos) {
    if (mcSeqno === 100) process.exit(3);
    if (mcSeqno === 101) throw new Error('broken on purpose');
    if (mcSeqno === 102 && !existsSync(marker)) {
      writeFileSync(marker, '');
      process.exit(4);
    }
    if (mcSeqno === 103) for (;;);
  }
  const reply = decodeJob(job, decodeSeqno);
  step();
  return reply;
});
