/** Decoding thread: decodes one seqno after another. */
import { serveJobs } from '../../lib/worker-jobs.ts';
import { decodeSeqno } from './decode-seqno.ts';
import { fromWire, type JobWire, packSeqno, type ReplyWire } from './worker-messages.ts';

serveJobs<JobWire, ReplyWire>(
  (job, step) => {
    step();
    try {
      return { packed: packSeqno(decodeSeqno(fromWire(job))) };
    } catch (error) {
      return { fault: error instanceof Error ? error.message : String(error) };
    } finally {
      step();
    }
  },
  { transfer: (reply) => ('packed' in reply ? [reply.packed] : []) },
);
