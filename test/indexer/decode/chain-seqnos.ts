import type { BlockId } from '../../../src/chain/block-id.ts';
import type { FetchedBlock, FetchedSeqno } from '../../../src/indexer/fetch/fetched-seqno.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { parseBlock, shardTops } from '../../../src/localnet/store/new-block.ts';

/** All seqnos of a chain as they would be fetched. */
export function chainSeqnos(store: ChainStore, globalVersion: number): FetchedSeqno[] {
  const found: FetchedSeqno[] = [];
  for (let mcSeqno = 1; mcSeqno <= store.head.seqno; mcSeqno++) {
    const masterchain = fetched(store.open(store.masterchainBlock(mcSeqno)!).bytes);
    const tops = shardTops(parseBlock(masterchain.bytes)).filter(({ seqno }) => seqno > 0);
    const shardBlocks = new Map<string, FetchedBlock>();
    const add = (id: BlockId): void => {
      const stored = store.block(id);
      const key = id.fileHash.toString('hex');
      if (id.seqno === 0 || stored?.masterchainSeqno !== mcSeqno || shardBlocks.has(key)) return;
      const block = fetched(store.open(stored).bytes);
      for (const previous of parseBlock(block.bytes).previous) add(previous);
      shardBlocks.set(key, block);
    };
    tops.forEach(add);
    found.push({ mcSeqno, masterchain, shardBlocks: [...shardBlocks.values()], tops, globalVersion });
  }
  return found;
}

/** A block by its bytes. */
function fetched(bytes: Buffer): FetchedBlock {
  return { id: parseBlock(bytes).id, bytes };
}

/** A masterchain block and any other blocks as one seqno. */
export function seqnoOf(
  masterchain: Buffer,
  shardBlocks: readonly Buffer[],
  globalVersion: number,
): FetchedSeqno {
  const parsed = parseBlock(masterchain);
  return {
    mcSeqno: parsed.id.seqno,
    masterchain: fetched(masterchain),
    shardBlocks: shardBlocks.map(fetched),
    tops: shardTops(parsed),
    globalVersion,
  };
}
