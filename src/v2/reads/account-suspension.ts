import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { isSuspended, readSuspendedAddresses } from '../../chain/tlb/config-suspended.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import type { V2Call } from '../call.ts';
import { type AccountAt, accountAtBlock } from './account-at.ts';
import { latestConfig } from './latest-config.ts';
import { masterchainBlock } from './masterchain-block.ts';
import { openSession } from './open-session.ts';

const SUSPENDED_ADDRESSES = 44;

/** Reads an account, and whether the newest configuration kept it from being deployed at the time it was read. */
export async function readAccountSuspension(
  call: V2Call,
  account: AccountId,
  seqno: number | undefined,
): Promise<AccountAt & { readonly suspended: boolean }> {
  const session = await openSession(call, { seqno });
  return session.run(async (target) => {
    const readAccount = async (): Promise<AccountAt> => {
      const block = await masterchainBlock(target, seqno, call.ports.check);
      return { session, block, proven: await accountAtBlock(call, target, block, account) };
    };
    const [at, config] = await Promise.all([readAccount(), latestConfig(call, target)]);
    return { ...at, suspended: isSuspendedAt(config, account, at.proven.genUtime) };
  });
}

/** Whether a configuration keeps an account from being deployed at a time; one of an unknown form keeps nobody. */
export function isSuspendedAt(
  { cells, cell }: FoundCell,
  { workchain, hash }: AccountId,
  unixTime: number,
): boolean {
  try {
    const param = configParam(cells, cell, SUSPENDED_ADDRESSES);
    if (param < 0) return false;
    const list = readSuspendedAddresses(cells, param);
    return unixTime < list.until && isSuspended(cells, list, workchain, hash);
  } catch (error) {
    if (error instanceof CellFault) return false;
    throw error;
  }
}
