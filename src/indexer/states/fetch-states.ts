import type { BlockId } from '../../chain/block-id.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { readMethodIds } from '../../chain/contracts/method-ids.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import { mapInOrder } from '../../lib/concurrency.ts';
import { getAccountState } from '../../lite/methods/accounts.ts';
import type { CellRef } from '../../lite/methods/proofs.ts';
import type { LiteSession } from '../../lite/session.ts';
import type { AccountChange, ContractCode } from '../decode/decoded-seqno.ts';
import { extraJson } from '../decode/rows.ts';
import type { FetchContext } from '../fetch/fetch-context.ts';
import { keyOf } from '../hash-key.ts';

/** What is asked about one account. */
interface StateRequest {
  readonly account: Buffer;
  /** The hash that the state must have; an account that has moved on is of no use. */
  readonly hash: Buffer;
}

/** Asks for the cells of an account at a masterchain block; undefined when its state is another one by then. */
export async function fetchAccountCells(
  session: LiteSession,
  check: FetchContext['check'],
  block: BlockId,
  { account, hash }: StateRequest,
): Promise<AccountCells | undefined> {
  const id = { workchain: account.readInt8(0), hash: account.subarray(1) };
  const found = await session.run((target) => getAccountState(target.query, block, id, check));
  if (found.account === undefined) return undefined;
  const { cells, cell } = found.account;
  return cells.hash(cell, 0).equals(hash) ? accountCells(found.account) : undefined;
}

interface FetchStatesOptions {
  /** The masterchain block of a change. */
  readonly blockOf: (mcSeqno: number) => BlockId;
  /** Accounts that are asked for, at most. */
  readonly most?: number;
  readonly concurrency?: number;
  /** Time for all of them. */
  readonly timeoutMs?: number;
}

const MAX_STATES = 64;
const CONCURRENCY = 8;
const TIMEOUT_MS = 2000;

/** Asks for states right after changes, as many as can be had within limits. Failures are no more than gaps. */
export async function fetchStates(
  { pool, check, signal }: Pick<FetchContext, 'pool' | 'check' | 'signal'>,
  changes: readonly AccountChange[],
  { blockOf, most = MAX_STATES, concurrency = CONCURRENCY, timeoutMs = TIMEOUT_MS }: FetchStatesOptions,
): Promise<Map<string, AccountCells>> {
  const found = new Map<string, AccountCells>();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  await mapInOrder(changes.slice(0, most), concurrency, async (change) => {
    if (limit.aborted) return;
    const seqno = change.mcSeqno;
    try {
      const session = await pool.session({ seqno, budgetMs: timeoutMs, signal: limit });
      const cells = await fetchAccountCells(session, check, blockOf(seqno), change);
      if (cells !== undefined) found.set(keyOf(change.account), cells);
    } catch {
      // It is asked for later, at the head.
    }
  });
  signal.throwIfAborted();
  return found;
}

/** What blocks may leave out of the state of an account; each undefined where it has none. */
export interface AccountCells {
  readonly code: ContractCode | undefined;
  readonly data: Buffer | undefined;
  /** Extra currencies as JSON. */
  readonly balanceExtra: string | undefined;
}

/** Takes that out of an Account cell that has everything. */
export function accountCells({ cells, cell }: CellRef): AccountCells {
  const account = readAccount(cells, cell);
  const balanceExtra = account && extraJson(cells, account.balance.extra);
  if (account?.state.kind !== 'active') return { code: undefined, data: undefined, balanceExtra };
  const { code, data } = account.state.init;
  const bocOf = (root: number) => writeBoc({ cells, roots: [root] }, { order: 'tonlib', crc: false });
  return {
    code: code < 0 ? undefined : contractCode(code),
    data: data < 0 ? undefined : bocOf(data),
    balanceExtra,
  };

  function contractCode(root: number): ContractCode {
    const boc = bocOf(root);
    return { hash: Buffer.from(cells.hash(root, 0)), boc, methods: readMethodIds(boc) };
  }
}
