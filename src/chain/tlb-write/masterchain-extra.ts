import { CellBuilder } from '../boc/cell-builder.ts';
import { CellFault } from '../boc/cell-fault.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { MasterchainExtra, MasterchainMessages } from '../tlb/masterchain-extra.ts';
import { writeShardFeeCreated } from './shard-fees.ts';

const MASTERCHAIN_BLOCK_EXTRA = 0xcca5;

/** Makes the cell of McBlockExtra. */
export function buildMasterchainExtra(arena: BuildingArena, extra: MasterchainExtra): number {
  const { keyBlock, shardHashes, shardFees, totalShardFees, messages, config } = extra;
  if (keyBlock !== (config !== undefined))
    throw new CellFault('a key block has a configuration, others none');
  const builder = new CellBuilder().uint(MASTERCHAIN_BLOCK_EXTRA, 16).boolean(keyBlock);
  builder.maybeRef(shardHashes).maybeRef(shardFees);
  writeShardFeeCreated(builder, totalShardFees);
  builder.ref(messages);
  if (config !== undefined) builder.hash(config.address).ref(config.root);
  return arena.build(builder);
}

/** Makes the cell of signatures and messages that McBlockExtra refers to. */
export function buildMasterchainMessages(arena: BuildingArena, messages: MasterchainMessages): number {
  const { prevBlockSignatures, recoverCreateMsg, mintMsg } = messages;
  const builder = new CellBuilder().maybeRef(prevBlockSignatures);
  return arena.build(builder.maybeRef(recoverCreateMsg).maybeRef(mintMsg));
}
