import { accountKey } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import { CellError, type Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { walkTransactions } from '../../chain/tlb/account-blocks.ts';
import {
  type BlockInfo,
  readBlockExtra,
  readBlockInfo,
  readBlockRoot,
  readStateUpdate,
} from '../../chain/tlb/block.ts';
import {
  type MasterchainExtra,
  readMasterchainExtra,
  readMasterchainMessages,
} from '../../chain/tlb/masterchain-block.ts';
import { FLAGS_FROM_VERSION, type Message, normalizedUnlessSame } from '../../chain/tlb/message.ts';
import { readInMsg } from '../../chain/tlb/msg-descr.ts';
import { readTransaction, type Transaction } from '../../chain/tlb/transaction.ts';
import type { DecodedSeqno, StateSummary } from '../../index/write/decoded-seqno.ts';
import { putBlockRow, putShardStateRow } from '../../index/write/rows.ts';
import { createSeqnoParts, type SeqnoParts } from '../../index/write/seqno-parts.ts';
import type { FetchedSeqno } from '../fetch/fetch-seqnos.ts';
import type { FetchedBlock } from '../fetch/masterchain-blocks.ts';
import { openBlockStates, readAccountChange } from './account-changes.ts';
import { onBlock } from './broken-block.ts';

/** Decodes the blocks of one masterchain seqno; throws BrokenBlock. */
export function decodeSeqno(fetched: FetchedSeqno): DecodedSeqno {
  const { mcSeqno, masterchain, shardBlocks } = fetched;
  const parts = createSeqnoParts(mcSeqno, fetched);
  const { genUtime, keyBlock } = onBlock(masterchain.id, () => decodeBlock(parts, masterchain, 0));
  for (const [i, block] of shardBlocks.entries()) onBlock(block.id, () => decodeBlock(parts, block, i + 1));
  putShardStateRow(parts.shardStates, fetched);
  return finishSeqno(parts, { genUtime, blockCount: 1 + shardBlocks.length, hasKeyBlock: keyBlock });
}

/** The decoded seqno, once all its blocks are in the parts. */
export function finishSeqno(
  parts: SeqnoParts,
  header: Pick<DecodedSeqno, 'genUtime' | 'blockCount' | 'hasKeyBlock'>,
): DecodedSeqno {
  const { validators, ...transactions } = parts.placed.finish();
  return {
    mcSeqno: parts.mcSeqno,
    ...header,
    blocks: parts.blocks.rows(),
    shardStates: parts.shardStates.rows(),
    codes: parts.codes.found,
    ...transactions,
    accounts: parts.accounts,
    validators: { ...validators, config: parts.config },
  };
}

/** Decodes one block of a seqno, `block` being its position there, and adds it to the parts; returns its header. */
function decodeBlock(parts: SeqnoParts, { id, bytes }: FetchedBlock, block: number): BlockInfo {
  const bag = readBoc(bytes);
  const root = readBlockRoot(bag, bag.root);
  const info = readBlockInfo(bag, root.info);
  const { workchain, shard, seqno, genUtime } = info;
  if (workchain !== id.workchain || shard !== id.shard || seqno !== id.seqno)
    throw new CellError('the header names another block');
  const { mcSeqno, codes, accounts } = parts;
  const extra = readBlockExtra(bag, root.extra);
  const states = openBlockStates(bag, info, readStateUpdate(bag, root.stateUpdate));
  const masterchain = extra.masterchain < 0 ? undefined : readMasterchainExtra(bag, extra.masterchain);
  const system = systemTransactions(bag, masterchain);
  if (masterchain?.config !== undefined)
    parts.config = writeBoc(
      { cells: bag, roots: [masterchain.config.root] },
      { order: 'tonlib', crc: false },
    );
  const place = { cells: bag, states, mcSeqno, timestamp: genUtime, block };
  let transactions = 0;
  bag.hashAhead(extra.accountBlocks);
  for (const list of transactionsByAccount(bag, extra.accountBlocks, info)) {
    const first = list[0]!;
    const last = list.at(-1)!;
    const account = accountKey(workchain, first.account.hash);
    const change = readAccountChange({ ...place, account, first, last }, codes);
    accounts.push(change);
    for (const one of list) {
      const isSystem = system.size > 0 && system.has(one.hash.toString('hex'));
      const states = {
        after: one === last ? change : undefined,
        before: one === first ? change.before : undefined,
      };
      putTransaction(parts, id, one, { account, isSystem, states });
    }
    transactions += list.length;
  }
  putBlockRow(parts.blocks, { mcSeqno, id, globalId: root.globalId, info, extra, transactions });
  return info;
}

/** The transactions of each account, ordered by account and logical time. */
function transactionsByAccount(cells: Cells, accountBlocks: number, { workchain }: BlockInfo) {
  const found: Transaction[][] = [];
  let list: Transaction[] = [];
  walkTransactions(cells, accountBlocks, (account, lt, cell) => {
    const transaction = readTransaction(cells, cell, workchain);
    if (!transaction.account.hash.equals(account) || transaction.lt !== lt)
      throw new CellError('a transaction is stored under the wrong key');
    if (list.length === 0 || !list[0]!.account.hash.equals(account)) {
      list = [];
      found.push(list);
    }
    list.push(transaction);
  });
  return found;
}

/**
 * Hex hashes of the transactions that received a message which no account sent: collected fees and minted currencies. The
 * sender does not show this, because -1:00…00 may be the address of a contract too.
 */
function systemTransactions(cells: Cells, extra: MasterchainExtra | undefined): ReadonlySet<string> {
  if (extra === undefined) return NONE;
  const { recoverCreateMsg, mintMsg } = readMasterchainMessages(cells, extra.messages);
  if (recoverCreateMsg < 0 && mintMsg < 0) return NONE;
  return new Set(
    [recoverCreateMsg, mintMsg].flatMap((cell) => {
      if (cell < 0) return [];
      const message = readInMsg(new Slice(cells, cell));
      return 'transaction' in message ? [cells.hash(message.transaction, 0).toString('hex')] : [];
    }),
  );
}

const NONE: ReadonlySet<string> = new Set();

interface TransactionPlace {
  readonly account: Buffer;
  /** Whether no account sent its in message. */
  readonly isSystem: boolean;
  /** The states of the account around the transaction, where the block shows them. */
  readonly states: { readonly before: StateSummary | undefined; readonly after: StateSummary | undefined };
}

/** Adds a transaction of a block. */
export function putTransaction(
  parts: SeqnoParts,
  { workchain, shard, seqno }: BlockId,
  transaction: Transaction,
  { account, isSystem, states }: TransactionPlace,
): void {
  const { mcSeqno, globalVersion } = parts;
  const { inMessage } = transaction;
  checkLts(transaction);
  parts.placed.add({
    account,
    transaction,
    isSystem,
    normalizedHash: inMessage && normalizedUnlessSame(inMessage),
    place: {
      mcSeqno,
      workchain,
      shard,
      blockSeqno: seqno,
      hasExtraFlags: globalVersion >= FLAGS_FROM_VERSION,
    },
    states,
  });
}

const MAX_LT = 2n ** 63n - 1n;

/** Rows are written when all blocks are read, and a column holds no larger number. */
function checkLts({ lt, inMessage, outMessages }: Transaction): void {
  const isTooLarge = ({ info }: Message) => info.kind !== 'external-in' && info.createdLt > MAX_LT;
  if (lt > MAX_LT || (inMessage !== undefined && isTooLarge(inMessage)) || outMessages.some(isTooLarge))
    throw new CellError('a logical time is too large');
}
