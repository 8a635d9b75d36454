import { CellError } from '../chain/boc/cells.ts';
import { type DnsEntry, decodeFullName, getOwnDnsRecords, readDnsRecords } from '../chain/contracts/dns.ts';
import {
  type JettonMaster,
  type JettonWallet,
  readJettonMaster,
  readJettonWallet,
} from '../chain/contracts/jetton.ts';
import { methodIdByName } from '../chain/contracts/method-ids.ts';
import { type NftCollection, type NftItem, readNftCollection, readNftItem } from '../chain/contracts/nft.ts';
import {
  type ContractReader,
  InterfaceMismatch,
  MethodResult,
  mismatchOnCellError,
  throwMismatch,
  undefinedOnMismatch,
} from '../chain/contracts/probe.ts';
import { Failure } from '../lib/errors.ts';
import { classifyFailure, LiteServerError } from '../lite/errors.ts';
import { VmRefusal } from '../vm/errors.ts';
import { type AccountAt, accountAtSameBlock } from './accounts.ts';
import { contractOf, runGetMethod } from './get-methods.ts';
import type { LiveCall } from './session.ts';

/** A domain: its whole name, empty where the contract does not tell it, and what it leads to. */
interface Domain {
  readonly name: string;
  readonly records: readonly DnsEntry[];
}

const ZONE = '.ton';

/** Reads an NFT as a domain; undefined if it is none. */
async function readDomain(probe: ContractReader): Promise<Domain | undefined> {
  const records = await undefinedOnMismatch(readRecords(probe));
  if (records === undefined) return undefined;
  const [full, label] = await Promise.all([
    undefinedOnMismatch(readFullName(probe)),
    undefinedOnMismatch(readText(probe, 'get_domain')),
  ]);
  // Existing servers take every domain for one of the zone .ton; where a contract knows better, it is believed.
  return { name: full ?? (label === undefined ? '' : `${label}${ZONE}`), records };
}

async function readRecords(probe: ContractReader): Promise<DnsEntry[]> {
  const { cells, cell } = (await getOwnDnsRecords(probe)).cell(1);
  return mismatchOnCellError(() => readDnsRecords(cells, cell));
}

async function readFullName(probe: ContractReader): Promise<string> {
  return decodeFullName(await readText(probe, 'get_full_domain'));
}

async function readText(probe: ContractReader, method: string): Promise<string> {
  return (await probe.run(method)).bytes(0).toString('utf8');
}

/** What a contract of a token says of itself. An NFT may be a domain. */
export type TokenData =
  | ({ readonly kind: 'jetton_master' } & JettonMaster)
  | ({ readonly kind: 'jetton_wallet' } & JettonWallet)
  | ({ readonly kind: 'nft_collection' } & NftCollection)
  | ({ readonly kind: 'nft_item'; readonly domain: Domain | undefined } & NftItem);

/** In this order: a contract that is several of these is the first. */
const READINGS: readonly ((probe: ContractReader) => Promise<TokenData>)[] = [
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
export async function readTokenData(call: LiveCall, at: AccountAt): Promise<TokenData | undefined> {
  // One after another, because the first that succeeds saves the rest.
  for (const read of READINGS) {
    try {
      return await read(openProbe(call, at));
    } catch (error) {
      if (!isDueToContract(error)) throw error;
    }
  }
  return undefined;
}

/** What a contract does, or names, is due to it; what a lite server or this server could not do is not. */
function isDueToContract(error: unknown): boolean {
  if (error instanceof InterfaceMismatch || error instanceof CellError || error instanceof VmRefusal)
    return true;
  if (!(error instanceof Failure) || error instanceof LiteServerError) return false;
  return error.kind === 'lite_server' && classifyFailure(error) === 'final';
}

/** An account to be asked by its get-methods, as it was read; throws NotThat if it has no code. */
function openProbe(call: LiveCall, at: AccountAt): ContractReader {
  const { account } = contractOf(call.ports.memory, at.proven) ?? throwMismatch('no code');
  return {
    account,
    async run(method, args = []) {
      const { exitCode, stack } = await runGetMethod(call, at, methodIdByName(method), args);
      return exitCode === 0 ? new MethodResult(stack) : throwMismatch(`exit code ${exitCode}`);
    },
    beside: async (other) => openProbe(call, await accountAtSameBlock(call, at, other)),
  };
}
