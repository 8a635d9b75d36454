import { CellError } from '../../chain/boc/cells.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { type ContractCode, contractCode, extraJson } from '../../chain/contracts/account-cells.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import type { StateSummary } from '../../index/write/decoded-seqno.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { accountSummary } from '../decode/account-changes.ts';
import { big, bytes, list, optional, PackReader, PackWriter, record, section } from '../decode/packing.ts';
import { CODE, STATE } from '../decode/worker-messages.ts';
import type { FileAccount } from './read-accounts.ts';
import type { OpenShardState } from './shard-state.ts';

/** An account of a state as the index keeps it. */
export interface StateAccount extends StateSummary {
  /** Without the workchain. */
  readonly id: Buffer;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
  /** All its data as a bag of cells. */
  readonly data: Buffer | undefined;
  /** Its code, unless an account before it has the same. */
  readonly newCode: ContractCode | undefined;
}

const BATCH_ACCOUNTS = 4000;
/** Of data; a contract may have megabytes. */
const BATCH_BYTES = 16 * 2 ** 20;

const ACCOUNTS = list(
  record<StateAccount>({
    ...STATE,
    id: bytes,
    lastTransLt: big,
    lastTransHash: bytes,
    data: optional(bytes),
    newCode: optional(section(CODE)),
  }),
);

/** Yields the accounts of a state after an id in ascending order, packed for another thread. */
export async function* packBatches(state: OpenShardState, after?: Buffer): AsyncGenerator<ArrayBuffer, void> {
  const packer = new PackWriter();
  const knownCodes = new Set<string>();
  let accounts: StateAccount[] = [];
  let dataBytes = 0;

  function pack(): ArrayBuffer {
    ACCOUNTS.put(packer, accounts);
    accounts = [];
    dataBytes = 0;
    return packer.finish();
  }

  for await (const file of state.files(after)) {
    for (const one of file.accounts(after)) {
      const account = readState(one, knownCodes);
      if (account === undefined) continue;
      accounts.push(account);
      dataBytes += account.data?.length ?? 0;
      if (accounts.length >= BATCH_ACCOUNTS || dataBytes >= BATCH_BYTES) yield pack();
    }
    // A damage of the next file costs nothing of this one.
    if (accounts.length > 0) yield pack();
  }
}

/** Reads what `packBatches` packed. */
export function unpackBatch(packed: ArrayBuffer): readonly StateAccount[] {
  return ACCOUNTS.take(new PackReader(Buffer.from(packed)));
}

/** Undefined for an account that does not exist. */
function readState(
  { id, cells, cell, lastTransHash, lastTransLt }: FileAccount,
  knownCodes: Set<string>,
): StateAccount | undefined {
  try {
    const account = readAccount(cells, cell);
    if (account === undefined) return undefined;
    const { code, data } = account.state.kind === 'active' ? account.state.init : { code: -1, data: -1 };
    const extra = extraJson(cells, account.balance.extra);
    const summary = accountSummary(cells, account, cells.hash(cell, 0), extra);
    return {
      ...summary,
      id: Buffer.from(id),
      lastTransLt,
      lastTransHash,
      data: data < 0 ? undefined : writeBoc({ cells, roots: [data] }, { order: 'tonlib', crc: false }),
      newCode: isNew(summary.codeHash, knownCodes) ? contractCode(cells, code) : undefined,
    };
  } catch (error) {
    throw error instanceof CellError ? cells.fault(cell, error) : error;
  }
}

function isNew(hash: Buffer | undefined, known: Set<string>): boolean {
  if (hash === undefined || known.has(bytesKey(hash))) return false;
  known.add(bytesKey(hash));
  return true;
}
