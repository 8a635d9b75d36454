import { MASTERCHAIN } from '../../chain/block-id.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { accountPrefix, shardContains } from '../../chain/shard-prefix.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { findShardAccount } from '../../chain/tlb/shard-account.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import type { Vm } from '../../vm/create-vm.ts';
import { rejectionText } from '../collate/rejection-text.ts';
import { headShards, headState } from '../lite-server/head-state.ts';
import { LiteRefusal, PLAIN_ERROR } from '../lite-server/lite-refusal.ts';
import { SurroundingsReader } from '../run-surroundings.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { ExternalToAccount } from './read-external.ts';

/** Throws LiteRefusal if the account would not accept the message in the next block. */
export type CheckAcceptance = (message: ExternalToAccount) => Promise<void>;

const NOT_ACCEPTED = -701;
const NO_SEED = Buffer.alloc(32);

/** Makes the check that a node makes before it takes a message: it runs the message on the newest state. */
export function createCheckAcceptance(store: ChainStore, vm: Vm, now: () => number): CheckAcceptance {
  const surroundings = new SurroundingsReader();
  return async ({ body, to }) => {
    const found = accountAtHead(store, to);
    if (found === undefined) throw new LiteRefusal(PLAIN_ERROR, 'Failed to unpack account state');
    const head = headState(store);
    const outcome = await vm.runTransaction({
      ...surroundings.read(head.id, head),
      message: body,
      shardAccount: found.shardAccount,
      lt: found.lt,
      utime: now(),
      randSeed: NO_SEED,
      // Without a log the emulator cuts the text that the refusal is made of.
      verbosity: 1,
    });
    if (outcome.kind !== 'done')
      throw new LiteRefusal(
        NOT_ACCEPTED,
        `External message was not accepted: cannot run message on account: ${rejectionText(to.hash, outcome)}`,
      );
  };
}

/** An account at the head as a bag of cells with its ShardAccount, and the end of its shard's block. */
export function accountAtHead(
  store: ChainStore,
  { workchain, hash }: AccountId,
): { shardAccount: Buffer; lt: bigint } | undefined {
  const head = headState(store);
  const top =
    workchain === MASTERCHAIN
      ? head.id
      : headShards(head).find(
          (shard) => shard.workchain === workchain && shardContains(shard.shard, accountPrefix(hash)),
        );
  const tree = top && store.state(top);
  if (typeof tree !== 'object') return undefined;
  const { accounts, genLt } = readShardState(tree.cells, tree.root);
  const slice = findShardAccount(tree.cells, accounts, hash);
  return slice && { shardAccount: writeBoc(slice, { order: 'core', crc: false }), lt: genLt };
}
