import { type AccountId, sameAccount } from '../address.ts';
import { addressArgument } from '../stack/arguments.ts';
import { type ContractReader, throwMismatch, undefinedOnMismatch } from './probe.ts';

export type JettonMaster = Readonly<Awaited<ReturnType<typeof readJettonMaster>>>;

interface JettonMasterOptions {
  readonly maxContentBytes?: number;
  /** Whether the admin may be anything, for example null; what is not an address counts as none. */
  readonly allowsAnyAdmin?: boolean;
}

/** Reads a contract as a jetton master; throws InterfaceMismatch if it is not one. */
export async function readJettonMaster(
  probe: ContractReader,
  { maxContentBytes, allowsAnyAdmin = false }: JettonMasterOptions = {},
) {
  const result = (await probe.run('get_jetton_data')).atLeast(5);
  return {
    totalSupply: result.integer(0),
    mintable: result.integer(1) !== 0n,
    admin: allowsAnyAdmin ? result.optionalAddress(2) : result.address(2),
    content: result.content(3, maxContentBytes),
    walletCode: result.cell(4),
  };
}

/** The get_wallet_data of a jetton wallet, confirmed by its jetton master. */
export type JettonWallet = Readonly<Awaited<ReturnType<typeof readJettonWallet>>>;

/** Reads a contract as a jetton wallet; throws InterfaceMismatch if it is not one. */
export async function readJettonWallet(probe: ContractReader) {
  const result = (await probe.run('get_wallet_data')).atLeast(4);
  const balance = result.integer(0);
  const owner = result.address(1) ?? throwMismatch('no owner');
  const jetton = result.address(2) ?? throwMismatch('no jetton');
  const walletCode = result.cell(3);
  const [isClaimed] = await Promise.all([
    undefinedOnMismatch(readIsClaimed(probe)),
    verify(probe, jetton, owner),
  ]);
  return {
    balance,
    owner,
    jetton,
    /** Whether the owner has claimed a mintless jetton; undefined where unknown. */
    isClaimed,
    walletCode,
  };
}

async function readIsClaimed(probe: ContractReader): Promise<boolean | undefined> {
  const result = await probe.run('is_claimed');
  return result.size === 1 ? result.integer(0) !== 0n : undefined;
}

async function verify(probe: ContractReader, jetton: AccountId, owner: AccountId): Promise<void> {
  const master = await probe.beside(jetton);
  const result = await master.run('get_wallet_address', [addressArgument(owner)]);
  if (!sameAccount(result.address(0), probe.account))
    throwMismatch('the jetton master has another wallet for the owner');
}
