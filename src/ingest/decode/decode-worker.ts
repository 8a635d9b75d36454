/** Decoding thread: decodes one seqno after another. */
import { serveJobs } from '../../lib/worker-jobs.ts';
import { decodeSeqno } from './decode-seqno.ts';
import { PackWriter } from './packing.ts';
import { decodeJob, type JobWire, type ReplyWire } from './worker-messages.ts';

// One for all jobs: a new one for each would be most of the garbage of this thread.
const packer = new PackWriter();

serveJobs<JobWire, ReplyWire>(
  (job, step) => {
    // The time limit applies to a seqno.
    const decode: typeof decodeSeqno = (fetched) => {
      step();
      try {
        return decodeSeqno(fetched);
      } finally {
        step();
      }
    };
    return decodeJob(job, decode, packer);
  },
  { transfer: ({ packed }) => [packed] },
);
