import type {
  BlockTransactions,
  BlockTransactionsExt,
  ListBlockTransactions,
  ListBlockTransactionsExt,
} from '../../../src/chain/tl/block-transactions.ts';
import type {
  GetOneTransaction,
  GetTransactions,
  TransactionInfo,
  TransactionList,
} from '../../../src/chain/tl/transactions.ts';
import { readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { readBlockInfo } from '../../../src/chain/tlb/block-info.ts';
import { LiteServerError } from '../../../src/lite/errors.ts';
import { blockEntries, findInBlock } from '../../../src/lite/proofs/account-blocks.ts';
import { blockOf } from './find-blocks.ts';
import { proofBag, showRead } from './make-proofs.ts';
import { bagOf } from './merkle-cells.ts';
import type { SampleChain } from './sample-chain.ts';
import type { BuiltTransaction } from './transactions.ts';

const EMPTY = Buffer.alloc(0);
const MAX_LISTED = 256;
const MAX_HISTORY = 16;
const WITH_PROOF = 32;
const REVERSE = 64;

/** The transactions of a block that a request lists, and their proof if it wants one. */
function listOf(chain: SampleChain, request: ListBlockTransactions | ListBlockTransactionsExt) {
  const { id, mode, count, after } = request;
  const { parts, root } = blockOf(chain, id);
  const reverse = (mode & REVERSE) !== 0;
  const order = (a: BuiltTransaction, b: { account: Buffer; lt: bigint }): number =>
    (a.account.hash.compare(b.account) || (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0)) * (reverse ? -1 : 1);
  const all = (parts.transactions ?? [])
    .toSorted((a, b) => order(a, { account: b.account.hash, lt: b.lt }))
    .filter((made) => after === undefined || order(made, after) > 0);
  const limit = Math.min(count, MAX_LISTED);
  const listed = all.slice(0, limit);
  const shown = showRead(root, (cells, cell) => {
    const entries = blockEntries({ cells, cell }, after, reverse);
    for (let i = 0; i < limit && !entries.next().done; i++);
  });
  const proof = mode & WITH_PROOF ? proofBag(shown) : EMPTY;
  return { listed, rest: { id, reqCount: count, incomplete: listed.length === limit, proof } };
}

/** Answers listBlockTransactions. */
export function answerList(chain: SampleChain, request: ListBlockTransactions): BlockTransactions {
  const { listed, rest } = listOf(chain, request);
  const mode = request.mode & 7;
  return { ...rest, ids: listed.map(({ account, lt, hash }) => ({ mode, account: account.hash, lt, hash })) };
}

/** Answers listBlockTransactionsExt. */
export function answerListExt(chain: SampleChain, request: ListBlockTransactionsExt): BlockTransactionsExt {
  const { listed, rest } = listOf(chain, request);
  return { ...rest, transactions: listed.length === 0 ? EMPTY : bagOf(...listed.map(({ cell }) => cell)) };
}

/** Answers getTransactions. */
export function answerHistory(chain: SampleChain, request: GetTransactions): TransactionList {
  const own = chain.transactions.filter(({ account }) => account.hash.equals(request.account.hash));
  const first = own.findIndex(({ lt }) => lt === request.lt);
  if (first < 0)
    throw new LiteServerError(0, 'cannot locate transaction in block with specified logical time');
  if (!own[first]!.hash.equals(request.hash)) throw new LiteServerError(0, 'transaction hash mismatch');
  const page = own.slice(first, first + Math.min(request.count, MAX_HISTORY));
  return { ids: page.map(({ block }) => block), transactions: bagOf(...page.map(({ cell }) => cell)) };
}

/** Answers getOneTransaction. */
export function answerOne(chain: SampleChain, { id, account, lt }: GetOneTransaction): TransactionInfo {
  const { root, parts, startLt, endLt } = blockOf(chain, id);
  const shown = showRead(root, (cells, cell) => {
    readBlockInfo(cells, readBlockRoot(cells, cell).info);
    if (lt > startLt && lt < endLt) findInBlock({ cells, cell }, account.hash, lt);
  });
  const found = parts.transactions?.find((made) => made.lt === lt && made.account.hash.equals(account.hash));
  return { id, proof: proofBag(shown), transaction: found === undefined ? EMPTY : bagOf(found.cell) };
}
