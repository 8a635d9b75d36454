import { fromAccountBytes, toAccountBytes } from '../../../src/chain/address.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { writeCellBoc } from '../../../src/chain/boc/writer.ts';
import { iterateTransactions } from '../../../src/chain/tlb/account-blocks.ts';
import { readBlockExtra, readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { writeShardAccount } from '../../../src/chain/tlb/shard-accounts.ts';
import { readTransaction, type Transaction } from '../../../src/chain/tlb/transaction.ts';
import { getAccountState } from '../../../src/lite/methods/accounts.ts';
import { getConfigAll } from '../../../src/lite/methods/config.ts';
import { parseBlock, shardTops } from '../../../src/localnet/store/parse-block.ts';
import type { TransactionRun } from '../../../src/vm/runs.ts';
import { prepareConfig } from '../../../src/vm/shared-inputs.ts';
import type { EmulatorContext } from './emulator-context.ts';

/** A transaction of a block, and the hash that it has when it is executed again. */
interface Replayed {
  readonly hash: string;
  readonly replayed: string | undefined;
}

const check = { verify: true };

/**
 * Executes again what accounts did in the blocks after a seqno, each from the state before the block: so a transaction comes
 * after those that came before it in the block, also ticks. `accounts` are hex, of 33 bytes.
 */
export async function replayAccounts(
  { localnet: { store }, pool, vm }: EmulatorContext,
  after: number,
  accounts: ReadonlySet<string>,
): Promise<Replayed[]> {
  const found: Replayed[] = [];
  for (let seqno = after + 1; seqno <= store.head.seqno; seqno++) {
    const masterchain = store.masterchainBlock(seqno)!;
    const before = store.masterchainBlock(seqno - 1)!.id;
    const session = await pool.session({ seqno: before.seqno });
    for (const block of [
      ...shardTops(parseBlock(store.open(masterchain).bytes)).map((id) => store.block(id)),
      masterchain,
    ]) {
      if (block === undefined || block.masterchainSeqno !== seqno) continue;
      const { workchain } = block.id;
      const { cells, cell: root } = store.open(block);
      const { accountBlocks, randSeed } = readBlockExtra(cells, readBlockRoot(cells, root).extra);
      const own = Map.groupBy(iterateTransactions(cells, accountBlocks), ({ account: hash }) =>
        toAccountBytes({ workchain, hash }).toString('hex'),
      );
      for (const [key, some] of own) {
        if (!accounts.has(key)) continue;
        const transactions = some.map(({ cell }) => readTransaction(cells, cell, workchain));
        const { account, config } = await session.run(async ({ query }) => ({
          account: await getAccountState(query, before, fromAccountBytes(Buffer.from(key, 'hex')), check),
          config: await getConfigAll(query, before, check),
        }));
        const shared = { config: prepareConfig(writeCellBoc(config.cells, config.cell)), randSeed };
        const outcomes = await vm.runTransactions(
          transactions.map(
            (one, i): TransactionRun => ({
              ...causeOf(one),
              ...(i === 0 && { shardAccount: writeShardAccount(account) }),
              ...shared,
              lt: one.lt,
              utime: one.now,
            }),
          ),
        );
        for (const [i, { hash }] of transactions.entries()) {
          const outcome = outcomes[i]!;
          const bag = outcome.kind === 'done' ? readBoc(outcome.transaction) : undefined;
          found.push({
            hash: hash.toString('hex'),
            replayed: bag?.hash(bag.root, 0).toString('hex'),
          });
        }
      }
    }
  }
  return found;
}

function causeOf({ inMessage, description }: Transaction) {
  if (inMessage !== undefined) return { message: writeCellBoc(inMessage.cells, inMessage.cell) };
  const isTock = description.kind === 'tick_tock' && description.isTock;
  return { tickTock: isTock ? 'tock' : 'tick' } as const;
}
