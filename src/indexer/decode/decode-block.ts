import { accountKey } from '../../chain/address/account-key.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { readBlockRoot } from '../../chain/tlb/block.ts';
import { readBlockExtra } from '../../chain/tlb/block-extra.ts';
import { type BlockInfo, readBlockInfo } from '../../chain/tlb/block-info.ts';
import { readStateUpdate } from '../../chain/tlb/block-state-update.ts';
import { walkTransactions } from '../../chain/tlb/block-transactions.ts';
import { readTransaction, type Transaction } from '../../chain/tlb/transaction.ts';
import type { FetchedBlock } from '../fetch/fetched-seqno.ts';
import { readAccountChange } from './account-changes.ts';
import { putBlockRow } from './block-row.ts';
import { openBlockStates } from './block-states.ts';
import { putTransaction } from './put-transaction.ts';
import type { SeqnoParts } from './seqno-parts.ts';
import { systemTransactions } from './system-transactions.ts';

/** Decodes one block of a seqno, `block` being its number there, and adds what it brings; gives its header. */
export function decodeBlock(parts: SeqnoParts, { id, bytes }: FetchedBlock, block: number): BlockInfo {
  const bag = readBoc(bytes);
  const root = readBlockRoot(bag, bag.root);
  const info = readBlockInfo(bag, root.info);
  const { workchain, shard, seqno, genUtime } = info;
  if (workchain !== id.workchain || shard !== id.shard || seqno !== id.seqno)
    throw new CellFault('it is another block by its header');
  const { mcSeqno, codes, accounts } = parts;
  const extra = readBlockExtra(bag, root.extra);
  const states = openBlockStates(bag, info, readStateUpdate(bag, root.stateUpdate));
  const system = systemTransactions(bag, extra.masterchain);
  const place = { cells: bag, states, mcSeqno, timestamp: genUtime, block };
  let transactions = 0;
  for (const list of transactionsByAccount(bag, extra.accountBlocks, info)) {
    const first = list[0]!;
    const last = list.at(-1)!;
    const account = accountKey(workchain, first.account.hash);
    const change = readAccountChange({ ...place, account, first, last }, codes);
    accounts.push(change);
    for (const one of list) {
      const isSystem = system.size > 0 && system.has(one.hash.toString('hex'));
      putTransaction(parts, id, one, { account, isSystem, after: one === last ? change : undefined });
    }
    transactions += list.length;
  }
  putBlockRow(parts.blocks, { mcSeqno, id, globalId: root.globalId, info, extra, transactions });
  return info;
}

/** The transactions of each account, by account and logical time. */
function transactionsByAccount(
  cells: Cells,
  accountBlocks: number,
  { workchain }: BlockInfo,
): Transaction[][] {
  const found: Transaction[][] = [];
  let list: Transaction[] = [];
  walkTransactions(cells, accountBlocks, (account, lt, cell) => {
    const transaction = readTransaction(cells, cell, workchain);
    if (!transaction.account.hash.equals(account) || transaction.lt !== lt)
      throw new CellFault('a transaction that is not where it belongs');
    if (list.length === 0 || !list[0]!.account.hash.equals(account)) {
      list = [];
      found.push(list);
    }
    list.push(transaction);
  });
  return found;
}
