/** Generates the batches of one lane and writes them. Reports each batch, and the samples at the end. */
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { Claim } from '../../src/index/chunks.ts';
import type { WriteBatch } from '../../src/index/write/write-accounts.ts';
import { createWriter } from '../../src/index/write/writer.ts';
import { createChainMetadataReader } from '../../src/metadata/token-fields.ts';
import { decodeBatch } from './decode-batch.ts';
import { Lane } from './lane.ts';
import { type Batch, type FillOptions, planFill } from './plan.ts';
import { Sampler, type Samples } from './samples.ts';

/** Start data of the thread. */
export interface LaneData {
  readonly url: string;
  readonly options: FillOptions;
  readonly lane: number;
}

/** A batch was made, and written unless an earlier run did. */
export interface BatchReport {
  readonly kind: 'batch';
  readonly transactions: number;
  readonly isNew: boolean;
  /** Milliseconds: building cells, decoding them, and waiting for the database afterwards. */
  readonly ms: { readonly make: number; readonly decode: number; readonly wait: number };
}

/** A message from the thread. */
export type LaneReport = BatchReport | { readonly kind: 'end'; readonly samples: Samples };

const { url, options, lane: number } = workerData as LaneData;
const report = (message: LaneReport) => parentPort?.postMessage(message);

const plan = planFill(options);
const lane = new Lane(options, number);
const sampler = new Sampler(options.seed, number);
const log = { info() {}, warn: console.error, error: console.error };
const writer = createWriter({ url, log, connections: 1, metadata: createChainMetadataReader() });
const client = new pg.Client({ connectionString: url });
await client.connect();

/** The batch that is being written while the next one is made. */
let writing: Promise<unknown> = Promise.resolve();
for (const [turn, at] of plan.batchesOf(number).entries()) {
  const batch = plan.batch(at);
  const startMs = performance.now();
  const made = await lane.next(batch);
  sampler.add(made);
  const claim = await claimBatch(batch);
  const madeMs = performance.now();
  const isFirst = turn === 0;
  const decoded =
    claim && (await decodeBatch(made, { known: isFirst ? lane.accounts.known : [], withCodes: isFirst }));
  const decodedMs = performance.now();
  await writing;
  if (claim && decoded) writing = write(claim, decoded);
  // The connection must not time out while the thread is busy.
  if (isFirst) await writing;
  const waitedMs = performance.now();
  report({
    kind: 'batch',
    transactions: made.seqnos.reduce((sum, { transactions }) => sum + transactions.length, 0),
    isNew: claim !== undefined,
    ms: { make: madeMs - startMs, decode: decodedMs - madeMs, wait: waitedMs - decodedMs },
  });
}
await writing;
await client.end();
await writer.close();
report({ kind: 'end', samples: sampler.result() });

/** Begins a write. A failure is thrown when it is awaited, not before. */
function write(claim: Claim, batch: WriteBatch): Promise<unknown> {
  const written = writer.write(claim, batch);
  written.catch(() => {});
  return written;
}

/** Puts the chunk of a batch into the index; undefined if it was written by an earlier run. */
async function claimBatch({ firstSeqno, lastSeqno, runs }: Batch): Promise<Claim | undefined> {
  const doneSeqno = runs[0]!.firstSeqno - 1;
  const owner = `fill ${number}`;
  const { rows } = await client.query<{ done_seqno: number }>(
    `insert into index_chunks (first_seqno, last_seqno, done_seqno, owner) values ($1, $2, $3, $4)
     on conflict (first_seqno) do update set owner = excluded.owner where index_chunks.owner is not null
     returning done_seqno`,
    [firstSeqno, lastSeqno, doneSeqno, owner],
  );
  return rows.length === 0 ? undefined : { firstSeqno, lastSeqno, doneSeqno, owner };
}
