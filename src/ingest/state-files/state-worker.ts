/** The thread that opens the files of a state, hashes them and reads the accounts, ahead of the one that writes them. */
import { parentPort, workerData } from 'node:worker_threads';
import { openShardState } from './shard-state.ts';
import { packBatches } from './state-batch.ts';
import { StateFileError } from './state-file-error.ts';
import type { StateReport, StateRequest, StateThreadData } from './state-thread.ts';

const port = parentPort!;
const { files, proven, workFolder, aheadBytes } = workerData as StateThreadData;

/** Bytes of batches that were sent and not taken yet. */
let ahead = 0;
let wake = (): void => {};
let begin = (_after: Buffer | undefined): void => {};
const begun = new Promise<Buffer | undefined>((resolve) => {
  begin = resolve;
});

port.on('message', (request: StateRequest) => {
  if (request.kind === 'read') begin(request.after && Buffer.from(request.after));
  else {
    ahead -= request.bytes;
    wake();
  }
});

function send(report: StateReport, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(report, [...transfer]);
}

async function read(): Promise<void> {
  const state = await openShardState(
    files,
    { ...proven, hash: Buffer.from(proven.hash) },
    { workFolder, onHashed: (path, share) => send({ kind: 'hashed', path, share }) },
  );
  const { workchain, shard, genUtime } = state.state;
  send({ kind: 'opened', hash: state.hash, size: state.size, workchain, shard, genUtime });
  for await (const packed of packBatches(state, await begun)) {
    ahead += packed.byteLength;
    send({ kind: 'batch', packed }, [packed]);
    while (ahead > aheadBytes)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  state.close();
  send({ kind: 'end' });
}

try {
  await read();
} catch (error) {
  if (!(error instanceof StateFileError)) throw error;
  const { path, reason, at } = error;
  send({ kind: 'damaged', path, reason, at });
} finally {
  port.close();
}
