import type { TokenContent } from '../../chain/contracts/token-content.ts';
import { addressArgument } from '../../chain/stack/slice-arguments.ts';
import type { CellEntry } from '../../chain/stack/stack-entry.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { V2Call } from '../call.ts';
import type { AccountAt } from './account-at.ts';
import { accountBeside, NotThat, probe, refuse } from './probe.ts';
import { sameAccount } from './same-account.ts';

/** What a jetton says of itself. */
export interface JettonMaster {
  readonly kind: 'jetton_master';
  readonly totalSupply: bigint;
  readonly mintable: boolean;
  readonly admin: AccountId | undefined;
  readonly content: TokenContent;
  readonly walletCode: CellEntry;
}

/** What a holder's wallet of a jetton says of itself; the jetton agrees that it is its wallet. */
export interface JettonWallet {
  readonly kind: 'jetton_wallet';
  readonly balance: bigint;
  readonly owner: AccountId;
  readonly jetton: AccountId;
  /** Whether the holder has taken what a mintless jetton gave it; undefined where that is not known. */
  readonly isClaimed: boolean | undefined;
  readonly walletCode: CellEntry;
}

/** Reads a contract as a jetton; throws NotThat if it is none. */
export async function readJettonMaster(call: V2Call, at: AccountAt): Promise<JettonMaster> {
  const answer = await probe(call, at, 'get_jetton_data', { least: 5 });
  return {
    kind: 'jetton_master',
    totalSupply: answer.integer(0),
    mintable: answer.integer(1) !== 0n,
    admin: answer.address(2),
    content: answer.content(3),
    walletCode: answer.cell(4),
  };
}

/** Reads a contract as a wallet of a jetton; throws NotThat if it is none. */
export async function readJettonWallet(
  call: V2Call,
  at: AccountAt,
  account: AccountId,
): Promise<JettonWallet> {
  const answer = await probe(call, at, 'get_wallet_data', { least: 4 });
  const balance = answer.integer(0);
  const owner = answer.address(1) ?? refuse('no owner');
  const jetton = answer.address(2) ?? refuse('no jetton');
  const walletCode = answer.cell(3);
  const [isClaimed] = await Promise.all([
    readIsClaimed(call, at),
    verifyWallet(call, at, { account, owner, jetton }),
  ]);
  return { kind: 'jetton_wallet', balance, owner, jetton, isClaimed, walletCode };
}

async function readIsClaimed(call: V2Call, at: AccountAt): Promise<boolean | undefined> {
  try {
    const answer = await probe(call, at, 'is_claimed');
    return answer.size === 1 ? answer.integer(0) !== 0n : undefined;
  } catch (error) {
    if (error instanceof NotThat) return undefined;
    throw error;
  }
}

async function verifyWallet(
  call: V2Call,
  at: AccountAt,
  wallet: { readonly account: AccountId; readonly owner: AccountId; readonly jetton: AccountId },
): Promise<void> {
  const master = await accountBeside(call, at, wallet.jetton);
  const answer = await probe(call, master, 'get_wallet_address', { args: [addressArgument(wallet.owner)] });
  if (!sameAccount(answer.address(0), wallet.account)) refuse('the jetton knows another wallet');
}
