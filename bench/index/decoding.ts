import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { BlockId } from '../../src/chain/block-id.ts';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { decodeSeqno } from '../../src/ingest/decode/decode-seqno.ts';
import type { FetchedSeqno } from '../../src/ingest/fetch/fetch-seqnos.ts';
import type { FetchedBlock } from '../../src/ingest/fetch/masterchain-blocks.ts';
import { readBlock } from '../../test/chain/support/block-readers.ts';
import type { DecodeResult } from './report.ts';

const MAINNET = new URL('../../../shared/data/mainnet/', import.meta.url);
const MEASURED_MS = 3000;
/** Any version: it does not change the speed. */
const GLOBAL_VERSION = 4;

/** The mainnet blocks that are stored next to the checkout, as if they were those of one seqno; undefined without them. */
export function readMainnetSeqno(): FetchedSeqno | undefined {
  if (!existsSync(MAINNET)) return undefined;
  const folders = readdirSync(MAINNET).filter((name) => name.startsWith('block-'));
  const blocks = folders.map((name) => toFetched(readFileSync(new URL(`${name}/block.bin`, MAINNET))));
  const masterchain = blocks.find(({ id }) => id.workchain === -1);
  if (masterchain === undefined) return undefined;
  const shardBlocks = blocks.filter(({ id }) => id.workchain !== -1);
  const tops = shardBlocks.map(({ id }) => id);
  return { mcSeqno: masterchain.id.seqno, masterchain, shardBlocks, tops, globalVersion: GLOBAL_VERSION };
}

/** Decodes the mainnet blocks in this thread. */
export function measureDecoding(): DecodeResult | undefined {
  const fetched = readMainnetSeqno();
  if (fetched === undefined) return undefined;
  const { count } = decodeSeqno(fetched).transactions;
  let rounds = 0;
  const startedMs = performance.now();
  for (; performance.now() - startedMs < MEASURED_MS; rounds++) decodeSeqno(fetched);
  const seconds = (performance.now() - startedMs) / 1000;
  return {
    blocks: 1 + fetched.shardBlocks.length,
    transactions: count,
    transactionsPerSecond: Math.round((rounds * count) / seconds),
  };
}

function toFetched(bytes: Buffer): FetchedBlock {
  const cells = readBoc(bytes);
  const { workchain, shard, seqno } = readBlock(cells, cells.root).info;
  const fileHash = createHash('sha256').update(bytes).digest();
  const id: BlockId = { workchain, shard, seqno, rootHash: Buffer.from(cells.hash(cells.root)), fileHash };
  return { id, bytes };
}
