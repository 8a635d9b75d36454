import type { BlockId } from '../../chain/block-id.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { ProvenAccount } from '../../lite/proofs/account-state.ts';
import { getAccountState } from '../../lite/queries/get-account-state.ts';
import type { LiteSession, LiteTarget } from '../../lite/session.ts';
import type { V2Call } from '../call.ts';
import { masterchainBlock } from './masterchain-block.ts';
import { openSession } from './open-session.ts';

/** An account at a masterchain block, and the session that it was read in. */
export interface AccountAt {
  readonly session: LiteSession;
  /** The masterchain block as of which it was read. */
  readonly block: BlockId;
  readonly proven: ProvenAccount;
}

/** Reads an account as of a masterchain block, or of the newest one. */
export async function readAccountAt(
  call: V2Call,
  account: AccountId,
  seqno: number | undefined,
): Promise<AccountAt> {
  const session = await openSession(call, { seqno });
  return session.run(async (target) => {
    const block = await masterchainBlock(target, seqno, call.ports.check);
    return { session, block, proven: await accountAtBlock(call, target, block, account) };
  });
}

/** An account at a block that is known by its hashes; it is asked for once as long as it is remembered. */
export function accountAtBlock(
  call: V2Call,
  { query }: Pick<LiteTarget, 'query'>,
  block: BlockId,
  { workchain, hash }: AccountId,
): Promise<ProvenAccount> {
  const { memory, check } = call.ports;
  const key = `${block.rootHash.toString('base64')}${workchain}:${hash.toString('base64')}`;
  return memory.accounts.get(key, call, () => getAccountState(query, block, { workchain, hash }, check));
}

/** Another account at the block and in the session of one. */
export async function accountBeside(
  call: V2Call,
  { session, block }: AccountAt,
  account: AccountId,
): Promise<AccountAt> {
  const proven = await session.run((target) => accountAtBlock(call, target, block, account));
  return { session, block, proven };
}
