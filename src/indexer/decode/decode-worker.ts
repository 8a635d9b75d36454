import { parentPort } from 'node:worker_threads';
import { decodeSeqno } from './decode-seqno.ts';
import { fromWire, type JobWire, packSeqno, type ReplyWire } from './worker-messages.ts';

/** Decoding thread: decodes one seqno after another. */

const port = parentPort!;

port.on('message', (job: JobWire) => {
  const { number } = job;
  try {
    const packed = packSeqno(decodeSeqno(fromWire(job)));
    port.postMessage({ number, packed } satisfies ReplyWire, [packed]);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    port.postMessage({ number, fault } satisfies ReplyWire);
  }
});
