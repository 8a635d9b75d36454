import { sameAccount } from '../address/same-account.ts';
import { addressArgument } from '../stack/slice-arguments.ts';
import type { CellEntry } from '../stack/stack-entry.ts';
import type { AccountId } from '../tl/names.ts';
import { orNothing, refuse } from './not-that.ts';
import type { Probe } from './probe.ts';

/** What a holder's wallet of a jetton says of itself; the jetton agrees that it is its wallet. */
export interface JettonWallet {
  readonly balance: bigint;
  readonly owner: AccountId;
  readonly jetton: AccountId;
  /** Whether the holder has taken what a mintless jetton gave it; undefined where that is not known. */
  readonly isClaimed: boolean | undefined;
  readonly walletCode: CellEntry;
}

/** Reads a contract as a wallet of a jetton; throws NotThat if it is none. */
export async function readJettonWallet(probe: Probe): Promise<JettonWallet> {
  const answer = (await probe.run('get_wallet_data')).atLeast(4);
  const balance = answer.integer(0);
  const owner = answer.address(1) ?? refuse('no owner');
  const jetton = answer.address(2) ?? refuse('no jetton');
  const walletCode = answer.cell(3);
  const [isClaimed] = await Promise.all([orNothing(readIsClaimed(probe)), verify(probe, jetton, owner)]);
  return { balance, owner, jetton, isClaimed, walletCode };
}

async function readIsClaimed(probe: Probe): Promise<boolean | undefined> {
  const answer = await probe.run('is_claimed');
  return answer.size === 1 ? answer.integer(0) !== 0n : undefined;
}

async function verify(probe: Probe, jetton: AccountId, owner: AccountId): Promise<void> {
  const master = await probe.beside(jetton);
  const answer = await master.run('get_wallet_address', [addressArgument(owner)]);
  if (!sameAccount(answer.address(0), probe.account)) refuse('the jetton knows another wallet');
}
