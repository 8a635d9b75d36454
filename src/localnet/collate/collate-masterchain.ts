import { startAfter } from '../../chain/logical-time.ts';
import type { BlockInfo } from '../../chain/tlb/block-info.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../chain/tlb/currency.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes-descr.ts';
import { buildExtraCurrencies, NO_CURRENCY } from '../../chain/tlb-write/currency.ts';
import { BlockDraft, type DraftInput } from './block-draft.ts';
import { timeAfter } from './block-times.ts';
import type { BlockIncome } from './block-values.ts';
import type { BuiltBlock } from './built-block.ts';
import { burnedOf } from './chain-config.ts';
import { cleanQueue } from './clean-queue.ts';
import type { CollatedBlock } from './collate-shard.ts';
import { coins, sumOf } from './currency-math.ts';
import { deliverNew } from './deliver-new.ts';
import { type Judged, type SoundExternal, takeExternals } from './external-messages.ts';
import { finishBlock } from './finish-block.ts';
import { buildMasterchainParts } from './masterchain-parts.ts';
import { viewRef } from './masterchain-view.ts';
import { neighbourOf, neighboursOf } from './neighbour.ts';
import type { OpenState } from './open-state.ts';
import { type Registered, registerShards } from './shard-config.ts';
import { paySpecial } from './special-message.ts';
import { takeIn } from './take-in.ts';
import { tickTock } from './tick-tock.ts';
import { groupOf } from './validator-group.ts';

/** What the next masterchain block is made from. */
export interface MasterchainInput extends Omit<DraftInput, 'startLt' | 'neighbours'> {
  /** Opens the state of a shard after the block that the masterchain names. */
  readonly stateOf: (descr: ShardDescr) => OpenState;
  /** The new blocks of all shards, which the masterchain block takes in. */
  readonly shardBlocks: readonly BuiltBlock[];
  /** Messages from outside; what follows from those of one round is delivered before the next. */
  readonly rounds: readonly (readonly SoundExternal[])[];
  readonly software: BlockInfo['genSoftware'];
}

/** Fees are paid out when they come to this much. */
const MIN_RECOVERED = 1_000_000_000n;

/** Makes the next block of the masterchain. */
export async function collateMasterchain(input: MasterchainInput): Promise<CollatedBlock> {
  const { arena, view, before, shard, shardBlocks, software } = input;
  const { config } = view;
  const now = timeAfter(input.now, view, before.state.genUtime);
  const seqno = view.id.seqno + 1;
  const registered = registerShards(arena, view.shards, config.workchains, shardBlocks, seqno, now);
  const startLt = startAfter(view.state.genLt, ...shardBlocks.map(({ info }) => info.endLt));
  const neighbours = [neighbourOf(before), ...neighboursOf(arena, registered.shards, input.stateOf, shard)];
  const draft = new BlockDraft({ ...input, now, startLt, neighbours });
  const income = incomeOf(draft, registered);

  cleanQueue(draft);
  await tickTock(draft, 'tick');
  const { feeCollector, minter } = config.addresses;
  const recoverCreateMsg =
    feeCollector === undefined ? -1 : await paySpecial(draft, income.recovered, feeCollector);
  const mintMsg = minter === undefined ? -1 : await paySpecial(draft, income.minted, minter);
  await takeIn(draft);
  draft.enqueueOnly = !draft.allTakenIn;
  const judged: Judged[] = [];
  for (const externals of [...input.rounds, []]) {
    judged.push(...(await takeExternals(draft, externals)));
    await deliverNew(draft);
  }
  await tickTock(draft, 'tock');
  draft.enqueueOnly = true;
  await deliverNew(draft);

  const { validators, ...named } = groupOf(view, shard);
  const frame = {
    seqno,
    previous: viewRef(view),
    beforeSplit: false,
    afterSplit: false,
    ...named,
    createdBy: validators[0]!.publicKey,
    software,
  };
  const shardCreators = shardBlocks.map(({ createdBy }) => createdBy);
  const decisions = { registered, income, shardCreators, recoverCreateMsg, mintMsg };
  const block = finishBlock(draft, frame, income, (accounts) =>
    buildMasterchainParts(draft, frame, decisions, accounts),
  );
  return { block, judged };
}

function incomeOf(draft: BlockDraft, { totalFees }: Registered): BlockIncome {
  const { arena, view, before } = draft.input;
  const { config } = view;
  const created = coins(config.masterchainReward);
  const importedBurned = burnedOf(config.burning, totalFees.fees.grams - totalFees.create.grams);
  const imported = coins(totalFees.fees.grams - importedBurned);
  const due = sumOf(arena, created, imported, before.totals.totalValidatorFees);
  const { feeCollector, minter } = config.addresses;
  const isPaid = feeCollector !== undefined && due.grams >= MIN_RECOVERED;
  return {
    created,
    feesImported: totalFees.fees,
    recovered: isPaid ? due : NO_CURRENCY,
    minted: minter === undefined ? NO_CURRENCY : toMint(draft),
    importedBurned,
  };
}

/** What is missing of the extra currencies that the configuration demands. */
function toMint({ input }: BlockDraft): CurrencyCollection {
  const { arena, view } = input;
  const known = new Map(
    readExtraCurrencies(arena, view.extra.globalBalance).map(({ id, amount }) => [id, amount]),
  );
  const missing = view.config.toMint
    .map(({ id, amount }) => ({ id, amount: amount - (known.get(id) ?? 0n) }))
    .filter(({ id, amount }) => id !== 0 && amount > 0n);
  return missing.length === 0 ? NO_CURRENCY : { grams: 0n, extra: buildExtraCurrencies(arena, missing) };
}
