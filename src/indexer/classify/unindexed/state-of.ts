import { readBoc } from '../../../chain/boc/read-boc.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { dataHash, readAccount } from '../../../chain/tlb/account.ts';
import { readShardAccount } from '../../../chain/tlb/shard-account.ts';
import type { FoundCell } from '../../../lite/proofs/open-proof.ts';
import type { ContractCode } from '../../decode/decoded-seqno.ts';
import type { JudgedState } from '../../detect/detection.ts';
import { accountCells } from '../../states/account-cells.ts';

/** A state that the index does not have, to be judged. */
export interface UnindexedState {
  readonly state: JudgedState;
  readonly code: ContractCode | undefined;
}

/** The state that a ShardAccount, as a bag of cells, is of an account (33 bytes) at a time in unix seconds. */
export function stateOfShardAccount(account: Buffer, boc: Uint8Array, timestamp: number): UnindexedState {
  const cells = readBoc(boc);
  const { account: cell, lastTransLt } = readShardAccount(new Slice(cells, cells.root));
  return stateOfAccount(account, { cells, cell }, { lastTransLt, timestamp });
}

/** The state that an Account cell is; one without for an account that does not exist. */
export function stateOfAccount(
  account: Buffer,
  found: FoundCell | undefined,
  at: { readonly lastTransLt: bigint; readonly timestamp: number },
): UnindexedState {
  const read = found && readAccount(found.cells, found.cell);
  const { code, data } = found ? accountCells(found) : NOTHING;
  return {
    code,
    state: {
      ...{ account, ...at, balance: read?.balance.grams ?? 0n },
      codeHash: code?.hash,
      dataHash: found && read && dataHash(found.cells, read),
      data,
      ...{ isMissing: false, isOther: true },
    },
  };
}

const NOTHING = { code: undefined, data: undefined };
