import { hash as hashOnce } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../src/chain/block-id.ts';
import type { BlockInfo } from '../../src/chain/tlb/block.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { DecodedSeqno } from '../../src/index/write/decoded-seqno.ts';
import { putBlockRow, putShardStateRow } from '../../src/index/write/rows.ts';
import { createSeqnoParts } from '../../src/index/write/seqno-parts.ts';
import { createWriter, type Writer } from '../../src/index/write/writer.ts';
import { finishSeqno, putTransaction } from '../../src/ingest/decode/decode-seqno.ts';
import { createChainMetadataReader } from '../../src/metadata/token-fields.ts';
import type { TestDatabase } from './database.ts';
import type { MadeTransaction } from './made-chain.ts';
import { createQuietLog } from './quiet-log.ts';

/** A block with the header fields that the index uses. */
export interface MadeBlock {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly genUtime: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
}

/** One masterchain seqno. */
export interface MadeSeqno {
  readonly mcSeqno: number;
  readonly transactions: readonly MadeTransaction[];
  /** The masterchain block first; by default there is only this one, around the transactions. */
  readonly blocks?: readonly MadeBlock[];
}

const GLOBAL_VERSION = 14;
const FIRST_UTIME = 1_700_000_000;
const MAX_BATCH = 200;

/** The time of a masterchain block for which none is given. */
export const utimeOf = (mcSeqno: number): number => FIRST_UTIME + mcSeqno;

/** The hash of a block by its name. */
export function blockHash(
  kind: 'root' | 'file',
  block: Pick<MadeBlock, 'workchain' | 'shard' | 'seqno'>,
): Buffer {
  return hashOnce('sha256', `${kind} ${block.workchain} ${block.shard} ${block.seqno}`, 'buffer');
}

/** Decodes the transactions of a seqno as if they were read from its blocks. */
export function decodeMade({ mcSeqno, transactions, blocks = [] }: MadeSeqno): DecodedSeqno {
  const parts = createSeqnoParts(mcSeqno, { globalVersion: GLOBAL_VERSION });
  const lts = transactions.map(({ lt }) => lt).sort((a, b) => (a < b ? -1 : 1));
  const [masterchain = defaultBlock(mcSeqno, lts), ...shardBlocks] = blocks;
  for (const { transaction, account, block, isSystem, before, after } of transactions) {
    // The rows of transactions do not hold the hashes of their block.
    const id = { workchain: account.readInt8(0), ...block, rootHash: NO_HASH, fileHash: NO_HASH };
    putTransaction(parts, id, transaction, { account, isSystem, states: { before, after } });
  }
  const all = [masterchain, ...shardBlocks];
  for (const block of all)
    putBlockRow(parts.blocks, {
      mcSeqno,
      id: idOf(block),
      globalId: -239,
      info: infoOf(block),
      extra: { ...NO_EXTRA, masterchain: -1 },
      transactions: all.length === 1 ? transactions.length : 0,
    });
  putShardStateRow(parts.shardStates, {
    mcSeqno,
    masterchain: { id: idOf(masterchain) },
    tops: shardBlocks.map(idOf),
  });
  const { genUtime } = masterchain;
  return finishSeqno(parts, { genUtime, blockCount: all.length, hasKeyBlock: false });
}

function defaultBlock(mcSeqno: number, lts: readonly bigint[]): MadeBlock {
  return {
    workchain: MASTERCHAIN,
    shard: WHOLE_SHARD,
    seqno: mcSeqno,
    genUtime: utimeOf(mcSeqno),
    startLt: lts[0] ?? BigInt(mcSeqno),
    endLt: (lts.at(-1) ?? BigInt(mcSeqno)) + 1n,
  };
}

const NO_HASH = Buffer.alloc(32);
const NO_EXTRA = {
  inMsgDescr: -1,
  outMsgDescr: -1,
  accountBlocks: -1,
  randSeed: NO_HASH,
  createdBy: NO_HASH,
};

function idOf(block: Pick<MadeBlock, 'workchain' | 'shard' | 'seqno'>): BlockId {
  const { workchain, shard, seqno } = block;
  return {
    workchain,
    shard,
    seqno,
    rootHash: blockHash('root', block),
    fileHash: blockHash('file', block),
  };
}

function infoOf(block: MadeBlock): BlockInfo {
  return {
    ...block,
    version: 0,
    notMaster: block.workchain !== MASTERCHAIN,
    afterMerge: false,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: false,
    wantMerge: false,
    keyBlock: false,
    vertSeqnoIncr: false,
    flags: 0,
    vertSeqno: 0,
    genValidatorListHashShort: 0,
    genCatchainSeqno: 0,
    minRefMcSeqno: 0,
    prevKeyBlockSeqno: 0,
    genSoftware: undefined,
    masterRef: undefined,
    prevRefs: [{ seqno: block.seqno - 1, rootHash: NO_HASH, fileHash: NO_HASH, endLt: block.startLt }],
    prevVertRef: undefined,
  };
}

/** Creates the origin of an index, if it has none, which decides where its partitions begin. */
export async function putOrigin(
  db: Kysely<Tables>,
  firstSeqno: number,
  partitionSeqnos: number,
): Promise<void> {
  const origin = {
    zero_state: NO_HASH,
    first_seqno: firstSeqno,
    partition_seqnos: partitionSeqnos,
  };
  await db
    .insertInto('index_origin')
    .values(origin)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Writes consecutive seqnos as one finished chunk of an index that has an origin, by the writer of the indexer. */
export async function storeSeqnos(
  { url, database }: Pick<TestDatabase, 'url' | 'database'>,
  seqnos: readonly MadeSeqno[],
  given?: Writer,
): Promise<void> {
  const [first, last] = [seqnos[0]!.mcSeqno, seqnos.at(-1)!.mcSeqno];
  const owner = 'made';
  const row = { first_seqno: first, last_seqno: last, done_seqno: first - 1, owner };
  await database.primary.insertInto('index_chunks').values(row).execute();
  const claim = { firstSeqno: first, lastSeqno: last, doneSeqno: first - 1, owner };
  const writer =
    given ??
    createWriter({ url, log: createQuietLog(), connections: 1, metadata: createChainMetadataReader() });
  try {
    for (let at = 0; at < seqnos.length; at += MAX_BATCH) {
      const batch = seqnos.slice(at, at + MAX_BATCH).map(decodeMade);
      await writer.write(claim, { seqnos: batch, latest: [], earlier: [] });
    }
  } finally {
    if (given === undefined) await writer.close();
  }
}

/** The seqnos of a range with their transactions; the other seqnos of the range have none. */
export function seqnosOf(
  transactions: readonly MadeTransaction[],
  { first, last }: { readonly first: number; readonly last: number },
): MadeSeqno[] {
  const bySeqno = Map.groupBy(transactions, ({ mcSeqno }) => mcSeqno);
  return Array.from({ length: last - first + 1 }, (_, at) => ({
    mcSeqno: first + at,
    transactions: bySeqno.get(first + at) ?? [],
  }));
}
