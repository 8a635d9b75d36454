import { CellFault } from '../../chain/boc/cell-fault.ts';
import { NotThat } from '../../chain/contracts/not-that.ts';
import type { Probe } from '../../chain/contracts/probe.ts';
import { type JettonMaster, readJettonMaster } from '../../chain/contracts/read-jetton-master.ts';
import { type JettonWallet, readJettonWallet } from '../../chain/contracts/read-jetton-wallet.ts';
import { type NftCollection, readNftCollection } from '../../chain/contracts/read-nft-collection.ts';
import { type NftItem, readNftItem } from '../../chain/contracts/read-nft-item.ts';
import { Failure } from '../../lib/failure.ts';
import { LiteServerError } from '../../lite/errors.ts';
import { failureClassOf } from '../../lite/failure-class.ts';
import { VmRefusal } from '../../vm/errors.ts';
import type { V2Call } from '../call.ts';
import type { AccountAt } from './account-at.ts';
import { type Domain, readDomain } from './domain-data.ts';
import { probeOf } from './probe.ts';

/** What a contract of a token says of itself. An NFT may be a domain. */
export type TokenData =
  | ({ readonly kind: 'jetton_master' } & JettonMaster)
  | ({ readonly kind: 'jetton_wallet' } & JettonWallet)
  | ({ readonly kind: 'nft_collection' } & NftCollection)
  | ({ readonly kind: 'nft_item'; readonly domain: Domain | undefined } & NftItem);

/** In this order: a contract that is several of these is the first. */
const READINGS: readonly ((probe: Probe) => Promise<TokenData>)[] = [
  async (probe) => ({ kind: 'jetton_master', ...(await readJettonMaster(probe)) }),
  async (probe) => ({ kind: 'jetton_wallet', ...(await readJettonWallet(probe)) }),
  async (probe) => ({ kind: 'nft_collection', ...(await readNftCollection(probe)) }),
  async (probe) => {
    const item = await readNftItem(probe);
    // A domain is always an item of its zone.
    const domain = item.collection && (await readDomain(probe));
    return { kind: 'nft_item', ...item, domain };
  },
];

/** Finds out which kind of token a contract is, and reads it; undefined if it is none. */
export async function readTokenData(call: V2Call, at: AccountAt): Promise<TokenData | undefined> {
  // One after another, because the first that succeeds saves the rest.
  for (const read of READINGS) {
    try {
      return await read(probeOf(call, at));
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
