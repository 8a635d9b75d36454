import { type Address, Cell, type Account as CoreAccount, loadShardAccount } from '@ton/core';
import type { AccountId } from '../../chain/address.ts';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import { writeBoc, writeCellBoc } from '../../chain/boc/writer.ts';
import { accountPrefix, shardContains } from '../../chain/shards.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import { readExtraCurrencies } from '../../chain/tlb/currency.ts';
import { findShardAccount } from '../../chain/tlb/shard-accounts.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { MAX_BALANCE, type TransactionOutcome } from '../../vm/runs.ts';
import type { Vm } from '../../vm/vm.ts';
import { rejectionText } from '../collate/external-messages.ts';
import { LiteRefusal, type RunGetMethod, refusePlainly } from '../lite-server/methods/method-context.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { headShards, headState } from '../store/head-state.ts';
import { VmContextReader } from '../vm-context.ts';
import type { IncomingExternal } from './mempool.ts';

/** How wallets work on a chain whose clock was advanced. */
export const VALID_UNTIL_HINT =
  "compute valid_until from the chain's time (`time` in GET /localnet/status), see docs/operate/localnet.md";

const NOT_ACCEPTED = -701;
const NO_SEED = Buffer.alloc(32);

/** The clock of a chain, which can be ahead of the machine's. */
interface ChainClock {
  /** Unix seconds. */
  readonly now: () => number;
  readonly aheadSeconds: () => number;
}

/** With these exit codes wallets reject an expired message: v2 and v3, v4, v5; some have other meanings too. */
const EXPIRED_CODES = new Set([35, 36, 136]);

/**
 * Creates the check that a node makes before it accepts a message: it runs the message on the newest state, and throws
 * LiteRefusal if the account does not accept it. Where the clock is the likely reason of a refusal, the text ends with a
 * hint that nodes do not give.
 */
export function createCheckAcceptance(store: ChainStore, vm: Vm, clock: ChainClock) {
  const context = new VmContextReader();
  return async ({ body, to }: IncomingExternal): Promise<void> => {
    const result = accountAtHead(store, to);
    if (result === undefined) refusePlainly('Failed to unpack account state');
    const head = headState(store);
    const outcome = await vm.runTransaction({
      ...context.read(head.id, head),
      message: body,
      shardAccount: result.shardAccount,
      lt: result.lt,
      utime: clock.now(),
      randSeed: NO_SEED,
      // Without a log the emulator truncates the text that the error is made of.
      verbosity: 1,
    });
    if (outcome.kind !== 'done')
      throw new LiteRefusal(
        NOT_ACCEPTED,
        `External message was not accepted: cannot run message on account: ${rejectionText(to.hash, outcome)}${hint(outcome)}`,
      );
  };

  function hint(outcome: TransactionOutcome): string {
    const ahead = clock.aheadSeconds();
    if (ahead === 0 || outcome.kind !== 'not_accepted' || !EXPIRED_CODES.has(outcome.exitCode)) return '';
    return `\nHint: the local chain's clock is ${ahead} s ahead of this machine's, so the message has probably expired; ${VALID_UNTIL_HINT}`;
  }
}

/** An account at the head as a BoC with its ShardAccount, and the end of its shard's block. */
export function accountAtHead(store: ChainStore, { workchain, hash }: AccountId) {
  const head = headState(store);
  const top =
    workchain === MASTERCHAIN
      ? head.id
      : headShards(head).find(
          (shard) => shard.workchain === workchain && shardContains(shard.shard, accountPrefix(hash)),
        );
  const tree = top && store.state(top);
  if (typeof tree !== 'object') return undefined;
  const { accounts, genLt } = readShardState(tree.cells, tree.cell);
  const slice = findShardAccount(tree.cells, accounts, hash);
  return slice && { shardAccount: writeBoc(slice, { order: 'core', crc: false }), lt: genLt };
}

/** The same as @ton/core reads it; undefined if it does not exist. */
export function readAccountAtHead(
  store: ChainStore,
  { workChain: workchain, hash }: Address,
): CoreAccount | undefined {
  const result = accountAtHead(store, { workchain, hash });
  if (result === undefined) return undefined;
  return loadShardAccount(Cell.fromBoc(result.shardAccount)[0]!.beginParse()).account ?? undefined;
}

/** BoC of an empty cell, for accounts without code or data. */
const EMPTY_CELL = Buffer.from('b5ee9c7201010101000200000000', 'hex');

/** Creates the runner of get-methods that lite clients call. */
export function createRunGetMethod(store: ChainStore, vm: Vm): RunGetMethod {
  const context = new VmContextReader();
  return async ({ address, account, masterchainState, utime, methodId, params, gasLimit }) => {
    const { cells } = account;
    const read = readAccount(cells, account.cell);
    if (read?.state.kind !== 'active') throw new Error('a get-method of an account that is not active');
    const { code, data } = read.state.init;
    const { seqno } = readShardState(masterchainState.cells, masterchainState.cell);
    const id = seqno === 0 ? { ...store.head, ...store.zeroState, seqno } : store.masterchainBlock(seqno)!.id;
    const { grams } = read.balance;
    const { exitCode, stack } = await vm.runGetMethod({
      ...context.read(id, masterchainState),
      code: code < 0 ? EMPTY_CELL : writeCellBoc(cells, code),
      data: data < 0 ? EMPTY_CELL : writeCellBoc(cells, data),
      address: `${address.workchain}:${address.hash.toString('hex')}`,
      balance: grams > MAX_BALANCE ? MAX_BALANCE : grams,
      extraCurrencies: readExtraCurrencies(cells, read.balance),
      utime,
      methodId: Number(BigInt.asIntN(32, methodId)),
      stack: params.length === 0 ? undefined : params,
      gasLimit,
    });
    return { exitCode, stack };
  };
}
