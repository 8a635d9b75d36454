import { Slice } from '../../../src/chain/boc/slice.ts';
import { readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { type BlockExtra, readBlockExtra } from '../../../src/chain/tlb/block-extra.ts';
import { readBlockInfo } from '../../../src/chain/tlb/block-info.ts';
import { skipCurrencyCollection } from '../../../src/chain/tlb/currency.ts';
import { walkDictionary } from '../../../src/chain/tlb/dictionary.ts';
import { dictionaryEntries } from '../../../src/chain/tlb/dictionary-entries.ts';
import { readInMsg } from '../../../src/chain/tlb/in-msg.ts';
import { walkInMsgDescr } from '../../../src/chain/tlb/in-msg-descr.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../../src/chain/tlb/masterchain-extra.ts';
import { readShardFees } from '../../../src/chain/tlb/masterchain-extra-fees.ts';
import { readMessageEnvelope } from '../../../src/chain/tlb/message-envelope.ts';
import { walkOutMsgDescr } from '../../../src/chain/tlb/out-msg-descr.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import { readSignaturePairs } from '../../../src/chain/tlb/signature-pairs.ts';
import { readValueFlow } from '../../../src/chain/tlb/value-flow.ts';
import {
  ACCOUNT_TRANSACTIONS,
  type AccountBlock,
  buildShardAccountBlocks,
  SHARD_ACCOUNT_BLOCKS,
} from '../../../src/chain/tlb-write/account-blocks.ts';
import { buildBlock } from '../../../src/chain/tlb-write/block.ts';
import { buildBlockExtra } from '../../../src/chain/tlb-write/block-extra.ts';
import { buildBlockInfo } from '../../../src/chain/tlb-write/block-info.ts';
import { buildSignaturePairs } from '../../../src/chain/tlb-write/block-signatures.ts';
import { Dictionary } from '../../../src/chain/tlb-write/dictionary.ts';
import { buildHashUpdate } from '../../../src/chain/tlb-write/hash-update.ts';
import { buildInMsg } from '../../../src/chain/tlb-write/in-msg.ts';
import { buildInMsgDescr, inMsgDescrForm } from '../../../src/chain/tlb-write/in-msg-descr.ts';
import {
  buildMasterchainExtra,
  buildMasterchainMessages,
} from '../../../src/chain/tlb-write/masterchain-extra.ts';
import { buildMessageEnvelope } from '../../../src/chain/tlb-write/message-envelope.ts';
import { buildOutMsgDescr, outMsgDescrForm } from '../../../src/chain/tlb-write/out-msg-descr.ts';
import { SHARD_FEES, shardFeesKey } from '../../../src/chain/tlb-write/shard-fees.ts';
import { buildShardHashes } from '../../../src/chain/tlb-write/shard-hashes.ts';
import { buildValueFlow } from '../../../src/chain/tlb-write/value-flow.ts';
import type { Rewriter } from './rewriter.ts';

/**
 * Reads a block part by part and writes each again from what was read, dictionaries from their entries; gives the
 * root of the new block. The update of the state is taken over.
 */
export function rewriteBlock(rewriter: Rewriter, block: number): number {
  const { arena, same } = rewriter;
  const root = readBlockRoot(arena, block);
  const info = readBlockInfo(arena, root.info);
  const extra = readBlockExtra(arena, root.extra);
  const globalVersion = info.genSoftware?.version ?? 0;
  return same(
    'block',
    block,
    buildBlock(arena, {
      globalId: root.globalId,
      info: same('info', root.info, buildBlockInfo(arena, info)),
      valueFlow: same(
        'value flow',
        root.valueFlow,
        buildValueFlow(arena, readValueFlow(arena, root.valueFlow)),
      ),
      stateUpdate: root.stateUpdate,
      extra: same(
        'extra',
        root.extra,
        buildBlockExtra(arena, {
          ...extra,
          inMsgDescr: rewriteInMsgDescr(rewriter, extra, globalVersion),
          outMsgDescr: rewriteOutMsgDescr(rewriter, extra, globalVersion),
          accountBlocks: rewriteAccountBlocks(rewriter, extra.accountBlocks),
          masterchain: extra.masterchain < 0 ? -1 : rewriteMasterchainExtra(rewriter, extra.masterchain),
        }),
      ),
    }),
  );
}

function rewriteInMsgDescr(rewriter: Rewriter, { inMsgDescr }: BlockExtra, globalVersion: number): number {
  const { arena, same } = rewriter;
  const entries: [Buffer, ReturnType<typeof readInMsg>][] = [];
  walkInMsgDescr(arena, inMsgDescr, (hash, inMsg) => {
    rewriter.count(`in ${inMsg.kind}`);
    if ('envelope' in inMsg) rewriteEnvelope(rewriter, inMsg.envelope);
    if ('outEnvelope' in inMsg) rewriteEnvelope(rewriter, inMsg.outEnvelope);
    entries.push([Buffer.from(hash), inMsg]);
  });
  const root = rewriter.dictionary('in messages', inMsgDescrForm(globalVersion), entries);
  return same('in descriptors', inMsgDescr, buildInMsgDescr(arena, root, globalVersion));
}

function rewriteOutMsgDescr(rewriter: Rewriter, { outMsgDescr }: BlockExtra, globalVersion: number): number {
  const { arena, same } = rewriter;
  const form = outMsgDescrForm(globalVersion);
  const entries: [Buffer, Parameters<typeof form.write>[1]][] = [];
  walkOutMsgDescr(arena, outMsgDescr, (hash, outMsg) => {
    rewriter.count(`out ${outMsg.kind}`);
    if ('envelope' in outMsg) rewriteEnvelope(rewriter, outMsg.envelope);
    if ('reimport' in outMsg) rewriteInMsg(rewriter, outMsg.reimport);
    if ('imported' in outMsg) rewriteInMsg(rewriter, outMsg.imported);
    entries.push([Buffer.from(hash), outMsg]);
  });
  const root = rewriter.dictionary('out messages', form, entries);
  return same('out descriptors', outMsgDescr, buildOutMsgDescr(arena, root, globalVersion));
}

function rewriteInMsg({ arena, same }: Rewriter, cell: number): void {
  same('in message', cell, buildInMsg(arena, readInMsg(new Slice(arena, cell))));
}

function rewriteEnvelope({ arena, same }: Rewriter, cell: number): void {
  same('envelope', cell, buildMessageEnvelope(arena, readMessageEnvelope(arena, cell)));
}

function rewriteAccountBlocks(rewriter: Rewriter, cell: number): number {
  const { arena, same } = rewriter;
  const root = new Slice(arena, cell).maybeRef();
  const entries: [Buffer, AccountBlock][] = [];
  if (root >= 0)
    walkDictionary(arena, root, 256, (id, value) => {
      skipCurrencyCollection(value);
      entries.push([Buffer.from(id), rewriteAccountBlock(rewriter, value)]);
    });
  const rewritten = rewriter.dictionary('account blocks', SHARD_ACCOUNT_BLOCKS, entries);
  return same('account blocks', cell, buildShardAccountBlocks(arena, rewritten));
}

function rewriteAccountBlock(rewriter: Rewriter, slice: Slice): AccountBlock {
  const { arena, same } = rewriter;
  slice.skip(4);
  const account = slice.hash();
  const transactions: [Buffer, number][] = [];
  const inline = slice.clone();
  for (const { key, value } of dictionaryEntries(inline, 64)) {
    skipCurrencyCollection(value);
    transactions.push([Buffer.from(key), value.ref()]);
  }
  // The last reference, whatever the dictionary before it has.
  const stateUpdate = arena.ref(slice.cell, arena.refCount(slice.cell) - 1);
  const update = new Slice(arena, stateUpdate);
  update.skip(8);
  return {
    account,
    transactions: rewriter.dictionary('transactions', ACCOUNT_TRANSACTIONS, transactions),
    stateUpdate: same('hash update', stateUpdate, buildHashUpdate(arena, update.hash(), update.hash())),
  };
}

function rewriteMasterchainExtra(rewriter: Rewriter, cell: number): number {
  const { arena, same } = rewriter;
  const extra = readMasterchainExtra(arena, cell);
  const fees = readShardFees(arena, extra.shardFees).map(
    (fee) => [shardFeesKey(fee.workchain, fee.shard), fee] as const,
  );
  const shardFees = same('shard fees', extra.shardFees, rewriter.dictionary('shard fees', SHARD_FEES, fees));
  const totalShardFees = new Dictionary(arena, SHARD_FEES).extra(shardFees);
  const messages = readMasterchainMessages(arena, extra.messages);
  const pairs = readSignaturePairs(arena, messages.prevBlockSignatures);
  for (const cell of [messages.recoverCreateMsg, messages.mintMsg])
    if (cell >= 0) rewriteInMsg(rewriter, cell);
  return same(
    'masterchain extra',
    cell,
    buildMasterchainExtra(arena, {
      ...extra,
      shardHashes: same(
        'shard hashes',
        extra.shardHashes,
        buildShardHashes(arena, readShardHashes(arena, extra.shardHashes)),
      ),
      shardFees,
      totalShardFees,
      messages: same(
        'masterchain messages',
        extra.messages,
        buildMasterchainMessages(arena, {
          ...messages,
          prevBlockSignatures: buildSignaturePairs(arena, pairs),
        }),
      ),
      config: extra.config && { ...extra.config, root: rewriter.config(extra.config.root) },
    }),
  );
}
