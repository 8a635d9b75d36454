import type { FetchedSeqno } from '../fetch/fetched-seqno.ts';
import { putShardStateRow } from './block-row.ts';
import { onBlock } from './broken-block.ts';
import { decodeBlock } from './decode-block.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';
import { createSeqnoParts } from './seqno-parts.ts';

/** Decodes the blocks of one masterchain seqno; throws BrokenBlock. */
export function decodeSeqno(fetched: FetchedSeqno): DecodedSeqno {
  const { mcSeqno, masterchain, shardBlocks, globalVersion } = fetched;
  const parts = createSeqnoParts(mcSeqno, globalVersion);
  const { genUtime, keyBlock } = onBlock(masterchain.id, () => decodeBlock(parts, masterchain, 0));
  for (const [i, block] of shardBlocks.entries()) onBlock(block.id, () => decodeBlock(parts, block, i + 1));
  putShardStateRow(parts.shardStates, fetched);
  return {
    mcSeqno,
    genUtime,
    blockCount: 1 + shardBlocks.length,
    hasKeyBlock: keyBlock,
    blocks: parts.blocks.rows(),
    shardStates: parts.shardStates.rows(),
    transactions: parts.transactions.rows(),
    messages: parts.messages.rows(),
    contents: parts.contents.found,
    codes: parts.codes.found,
    traces: parts.traces.finish(),
    accounts: parts.accounts,
    events: parts.events,
  };
}
