import { accountKey } from '../../chain/address.ts';
import { CellError } from '../../chain/boc/cells.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { type ContractCode, contractCode, extraJson } from '../../chain/contracts/account-cells.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import type { Db } from '../../db/tables/tables.ts';
import type { Detection } from '../../detect/detection.ts';
import { beginStateImport, type StateImport } from '../../index/write/state-imports.ts';
import type { AccountUpdate } from '../../index/write/write-accounts.ts';
import type { Writer } from '../../index/write/writer.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { accountSummary } from '../decode/account-changes.ts';
import type { FileAccount } from './read-accounts.ts';
import type { OpenShardState } from './shard-state.ts';

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

const BATCH_ACCOUNTS = 4000;
/** Of data; a contract may have megabytes. */
const BATCH_BYTES = 16 * 2 ** 20;

/**
 * Writes the accounts of a proven state into the index: newest states, code and data; returns their number. Contracts wait for
 * `detectImported`. Where the index has a newer state of an account, that stays. An interrupted import continues after its last
 * write.
 */
export async function importState(state: OpenShardState, options: ImportStateOptions): Promise<number> {
  const { db, writer, detection, mcSeqno, signal, onWritten } = options;
  const { workchain, shard, genUtime } = state.state;
  const place: StateImport = { mcSeqno, workchain, shard, hash: state.hash };
  const begun = await beginStateImport(db, place);
  if (begun.isFinished) return begun.accounts;
  /** Whether contracts with a code are to be detected. */
  const knownCodes = new Map<string, boolean>();
  let batch = newBatch();
  let writing: Promise<void> = Promise.resolve();
  let accounts = begun.accounts;

  function newBatch() {
    return {
      accounts: [] as AccountUpdate[],
      codes: [] as ContractCode[],
      undetected: new Set<string>(),
      bytes: 0,
    };
  }

  /** Writes a batch while the next one is read. */
  async function write(isLast: boolean): Promise<void> {
    const full = batch;
    batch = newBatch();
    await writing;
    signal.throwIfAborted();
    writing = save(full, isLast);
    // It is awaited later; until then its failure is not unhandled.
    writing.catch(() => {});
  }

  async function save(full: ReturnType<typeof newBatch>, isLast: boolean): Promise<void> {
    const lastAccount = full.accounts.at(-1)?.change.account.subarray(-ID_BYTES);
    const { accounts: updates, codes, undetected } = full;
    const detected = { found: [], withdrawn: new Map(), undetected };
    await writer.saveStates(place, { accounts: updates, codes, detected, lastAccount, isLast });
    accounts += full.accounts.length;
    onWritten?.(full.accounts.length);
  }

  function add(one: FileAccount): void {
    const read = readUpdate(one, { workchain, mcSeqno, timestamp: genUtime });
    if (read === undefined) return;
    const { update, code, data } = read;
    batch.accounts.push(update);
    batch.bytes += data;
    const { codeHash, account } = update.change;
    if (codeHash === undefined) return;
    const key = bytesKey(codeHash);
    let isToDetect = knownCodes.get(key);
    if (isToDetect === undefined) {
      const contract = contractCode(one.cells, code);
      isToDetect = detection.mayFind(contract);
      knownCodes.set(key, isToDetect);
      batch.codes.push(contract);
    }
    if (isToDetect && update.data !== undefined) batch.undetected.add(bytesKey(account));
  }

  try {
    for await (const file of state.files(begun.lastAccount))
      for (const one of file.accounts(begun.lastAccount)) {
        add(one);
        if (batch.accounts.length >= BATCH_ACCOUNTS || batch.bytes >= BATCH_BYTES) await write(false);
      }
    await write(true);
  } finally {
    await writing;
  }
  return accounts;
}

const ID_BYTES = 32;

interface StatePlace {
  readonly workchain: number;
  readonly mcSeqno: number;
  readonly timestamp: number;
}

/** Reads an account as the index keeps it: its newest state with all its data, its code by a cell. */
function readUpdate(
  { id, cells, cell, lastTransHash, lastTransLt }: FileAccount,
  { workchain, mcSeqno, timestamp }: StatePlace,
) {
  try {
    const account = readAccount(cells, cell);
    if (account === undefined) return undefined;
    const { code, data } = account.state.kind === 'active' ? account.state.init : { code: -1, data: -1 };
    const boc = data < 0 ? undefined : writeBoc({ cells, roots: [data] }, { order: 'tonlib', crc: false });
    const extra = extraJson(cells, account.balance.extra);
    const summary = accountSummary(cells, account, cells.hash(cell, 0), extra);
    const place = { account: accountKey(workchain, id), mcSeqno, timestamp };
    const change = { ...summary, ...place, lastTransLt, lastTransHash };
    return { update: { change, data: boc, isMissing: false }, code, data: boc?.length ?? 0 };
  } catch (error) {
    throw error instanceof CellError ? cells.fault(cell, error) : error;
  }
}
