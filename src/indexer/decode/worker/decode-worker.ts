/** The program of a thread: decodes one seqno after another. */
import { parentPort } from 'node:worker_threads';
import { decodeSeqno } from '../decode-seqno.ts';
import { packSeqno } from './pack-seqno.ts';
import { fromWire, type JobWire, type ReplyWire } from './wire.ts';

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
