import { accountKey } from '../address.ts';
import { readBoc } from '../boc/bag.ts';
import { Slice } from '../boc/slice.ts';
import { codeHash, dataHash, readAccount } from './account.ts';
import { type CurrencyTexts, currencyTexts } from './currency.ts';
import { FLAGS_FROM_VERSION, type Message } from './message.ts';
import { accountKeyOf } from './msg-address.ts';
import { readShardAccount } from './shard-accounts.ts';
import { readTransaction, type Transaction } from './transaction.ts';
import type { AccountStatus } from './transaction-phases.ts';

/** A transaction, read from its cells, with what they do not tell. */
export interface PlacedTransaction {
  readonly transaction: Transaction;
  /** 33 bytes. */
  readonly account: Buffer;
  readonly mcSeqno: number;
  readonly block: { readonly shard: bigint; readonly seqno: number };
  /** The hash of the first transaction of its trace. */
  readonly traceId: Buffer;
  /** Whether a field of its messages holds flags; before global version 12 it was the IHR fee. */
  readonly hasExtraFlags: boolean;
  readonly before: StateAtTransaction;
  readonly after: StateAtTransaction;
}

/** An account state at a transaction; only the hash is known of states within a block and of missing accounts. */
export interface StateAtTransaction {
  readonly hash: Buffer;
  readonly known: KnownState | undefined;
}

/** What is known about a state besides its hash. */
export interface KnownState {
  readonly status: AccountStatus;
  readonly balance: bigint;
  /** Undefined if they were not found. */
  readonly extraCurrencies: CurrencyTexts | undefined;
  readonly codeHash: Buffer | undefined;
  readonly dataHash: Buffer | undefined;
  readonly frozenHash: Buffer | undefined;
}

interface UnindexedTransaction {
  readonly workchain: number;
  readonly boc: Uint8Array;
  readonly mcSeqno: number;
  readonly block: PlacedTransaction['block'] | undefined;
  readonly traceId: Buffer;
  /** The states before and after; if absent, only their hashes are shown. */
  readonly states?: Pick<PlacedTransaction, 'before' | 'after'> | undefined;
}

/** The block of a predicted transaction, as clients expect it: the shard of the whole workchain, seqno 0. */
const NO_BLOCK = { shard: -(2n ** 63n), seqno: 0 };

/** Reads a transaction that is not in the index. A global version of 0 is unknown and counts as the latest. */
export function readUnindexed(
  { workchain, boc, mcSeqno, block = NO_BLOCK, traceId, states }: UnindexedTransaction,
  globalVersion: number,
): PlacedTransaction {
  const bag = readBoc(boc);
  const transaction = readTransaction(bag, bag.root, workchain);
  const { before = onlyHash(transaction.oldStateHash), after = onlyHash(transaction.newStateHash) } =
    states ?? {};
  return {
    transaction,
    account: accountKey(workchain, transaction.account.hash),
    mcSeqno,
    block,
    traceId,
    hasExtraFlags: globalVersion === 0 || globalVersion >= FLAGS_FROM_VERSION,
    before,
    after,
  };
}

function onlyHash(hash: Buffer): StateAtTransaction {
  return { hash, known: undefined };
}

/** The accounts at the other ends of the messages of a transaction. */
export function accountsOfTransaction({ inMessage, outMessages }: Transaction): Buffer[] {
  const sender = inMessage && senderOf(inMessage);
  return [...(sender === undefined ? [] : [sender]), ...outMessages.flatMap((one) => receiverOf(one) ?? [])];
}

/** The account that sent a message; undefined for messages from outside. */
export function senderOf({ info }: Message): Buffer | undefined {
  return accountKeyOf(info.src);
}

/** The account that a message was sent to; undefined for messages to outside. */
export function receiverOf({ info }: Message): Buffer | undefined {
  return accountKeyOf(info.dest);
}

/** The state of a ShardAccount that is not in the index; cells are -1 where there are none. */
export type UnindexedState = Readonly<ReturnType<typeof readUnindexedState>>;

export function readUnindexedState(shardAccount: Uint8Array) {
  const cells = readBoc(shardAccount);
  const { account: cell } = readShardAccount(new Slice(cells, cells.root));
  const account = readAccount(cells, cell);
  const hash = Buffer.from(cells.hash(cell, 0));
  if (account === undefined) return { state: onlyHash(hash), cells, code: -1, data: -1 };
  const { state, balance } = account;
  return {
    state: {
      hash,
      known: {
        status: state.kind,
        balance: balance.grams,
        extraCurrencies: currencyTexts(cells, balance),
        codeHash: codeHash(cells, account),
        dataHash: dataHash(cells, account),
        frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
      },
    },
    cells,
    code: state.kind === 'active' ? state.init.code : -1,
    data: state.kind === 'active' ? state.init.data : -1,
  };
}
