import { accountKey } from '../../chain/address.ts';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import type { Db } from '../../db/tables/tables.ts';
import type { Detection } from '../../detect/detection.ts';
import { beginStateImport, type StateImport } from '../../index/write/state-imports.ts';
import type { AccountUpdate, LatestState } from '../../index/write/write-accounts.ts';
import type { Writer } from '../../index/write/writer.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import type { StateAccount } from './state-batch.ts';
import type { StateThread } from './state-thread.ts';

interface ImportStateOptions {
  readonly db: Db;
  readonly writer: Pick<Writer, 'saveStates'>;
  /** Contracts with other codes do not wait for detection. */
  readonly detection: Pick<Detection, 'mayFind'>;
  readonly mcSeqno: number;
  readonly signal: AbortSignal;
  /** Called after each write with the number of accounts in it. */
  readonly onWritten?: ((accounts: number) => void) | undefined;
}

/**
 * Writes the accounts of a proven state into the index: newest states, code and data; returns their number. Contracts wait for
 * `detectImported`. Where the index has a newer state of an account, that stays. An interrupted import continues after its last
 * write.
 */
export async function importState(state: StateThread, options: ImportStateOptions): Promise<number> {
  const { db, writer, detection, mcSeqno, signal, onWritten } = options;
  const { workchain, shard, hash, genUtime: timestamp } = state;
  const place: StateImport = { mcSeqno, workchain, shard, hash };
  const begun = await beginStateImport(db, place);
  if (begun.isFinished) return begun.accounts;
  /** Whether contracts with a code are to be detected. */
  const knownCodes = new Map<string, boolean>();
  let writing: Promise<void> = Promise.resolve();
  let accounts = begun.accounts;
  let after = begun.lastAccount;

  /** Writes a batch while the next one is prepared. */
  async function write(batch: readonly StateAccount[], isLast: boolean): Promise<void> {
    const prepared = prepare(batch);
    await writing;
    signal.throwIfAborted();
    writing = save(prepared, isLast);
    // It is awaited later; until then its failure is not unhandled.
    writing.catch(() => {});
  }

  async function save(
    { updates, codes, undetected }: ReturnType<typeof prepare>,
    isLast: boolean,
  ): Promise<void> {
    const lastAccount = updates.at(-1)?.change.account.subarray(-ID_BYTES);
    const detected = { found: [], withdrawn: new Map(), undetected };
    await writer.saveStates(place, { after, accounts: updates, codes, detected, lastAccount, isLast });
    after = lastAccount ?? after;
    accounts += updates.length;
    onWritten?.(updates.length);
  }

  function prepare(batch: readonly StateAccount[]) {
    const codes: ContractCode[] = [];
    const undetected = new Set<string>();
    const updates: AccountUpdate[] = [];
    for (const one of batch) {
      const { data, newCode, codeHash } = one;
      const account = accountKey(workchain, one.id);
      if (newCode !== undefined) {
        knownCodes.set(bytesKey(newCode.hash), detection.mayFind(newCode));
        codes.push(newCode);
      }
      if (data !== undefined && codeHash !== undefined && knownCodes.get(bytesKey(codeHash)))
        undetected.add(bytesKey(account));
      updates.push({ change: changeOf(one, { account, mcSeqno, timestamp }), data, isMissing: false });
    }
    return { updates, codes, undetected };
  }

  try {
    for await (const batch of state.batches(begun.lastAccount)) await write(batch, false);
    await write([], true);
  } finally {
    await writing;
  }
  return accounts;
}

const ID_BYTES = 32;

/** Written out: a spread of each account took a fifth of the time of this thread. */
function changeOf(
  state: StateAccount,
  { account, mcSeqno, timestamp }: Pick<LatestState, 'account' | 'mcSeqno' | 'timestamp'>,
): LatestState {
  return {
    account,
    hash: state.hash,
    status: state.status,
    balance: state.balance,
    balanceExtra: state.balanceExtra,
    extraIsHidden: state.extraIsHidden,
    codeHash: state.codeHash,
    dataHash: state.dataHash,
    frozenHash: state.frozenHash,
    lastTransLt: state.lastTransLt,
    lastTransHash: state.lastTransHash,
    mcSeqno,
    timestamp,
  };
}
