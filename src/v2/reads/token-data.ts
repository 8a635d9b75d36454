import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { Failure } from '../../lib/failure.ts';
import { LiteServerError } from '../../lite/errors.ts';
import { failureClassOf } from '../../lite/failure-class.ts';
import { VmRefusal } from '../../vm/errors.ts';
import type { V2Call } from '../call.ts';
import type { AccountAt } from './account-at.ts';
import { type JettonMaster, type JettonWallet, readJettonMaster, readJettonWallet } from './jetton-data.ts';
import { type NftCollection, type NftItem, readNftCollection, readNftItem } from './nft-data.ts';
import { NotThat } from './probe.ts';

/** What a contract of a token says of itself. */
export type TokenData = JettonMaster | JettonWallet | NftCollection | NftItem;

type Reading = (call: V2Call, at: AccountAt, account: AccountId) => Promise<TokenData>;

/** In this order: a contract that is several of these is the first. */
const READINGS: readonly Reading[] = [readJettonMaster, readJettonWallet, readNftCollection, readNftItem];

/** Finds out which kind of token a contract is, and reads it; undefined if it is none. */
export async function readTokenData(
  call: V2Call,
  at: AccountAt,
  account: AccountId,
): Promise<TokenData | undefined> {
  // One after another, because the first that succeeds saves the rest.
  for (const read of READINGS) {
    try {
      return await read(call, at, account);
    } catch (error) {
      if (!isDueToContract(error)) throw error;
    }
  }
  return undefined;
}

/** What a contract does, or names, is due to it; what a lite server or this server could not do is not. */
function isDueToContract(error: unknown): boolean {
  if (error instanceof NotThat || error instanceof CellFault || error instanceof VmRefusal) return true;
  if (!(error instanceof Failure) || error instanceof LiteServerError) return false;
  return error.kind === 'lite_server' && failureClassOf(error) === 'final';
}
