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
import { type AccountAt, readAccountAtSameBlock } from './accounts.ts';
import { contractOf, runGetMethod } from './get-methods.ts';
import type { LiveCall } from './session.ts';

/** A domain: its full name, empty if the contract does not give it, and its records. */
interface Domain {
  readonly name: string;
  readonly records: readonly DnsEntry[];
}

const ZONE = '.ton';

/** Reads an NFT as a domain; undefined if it is not a domain. */
async function readDomain(probe: ContractReader): Promise<Domain | undefined> {
  const records = await undefinedOnMismatch(readRecords(probe));
  if (records === undefined) return undefined;
  const [full, label] = await Promise.all([
    undefinedOnMismatch(readText(probe, 'get_full_domain').then(decodeFullName)),
    undefinedOnMismatch(readText(probe, 'get_domain')),
  ]);
  // Existing servers assume the zone .ton for every domain; a contract that gives its full name is believed.
  return { name: full ?? (label === undefined ? '' : `${label}${ZONE}`), records };
}

async function readRecords(probe: ContractReader): Promise<DnsEntry[]> {
  const { cells, cell } = (await getOwnDnsRecords(probe)).cell(1);
  return mismatchOnCellError(() => readDnsRecords(cells, cell));
}

async function readText(probe: ContractReader, method: string): Promise<string> {
  return (await probe.run(method)).bytes(0).toString('utf8');
}

/** The data of a token contract. An NFT may be a domain. */
export type TokenData =
  | ({ readonly kind: 'jetton_master' } & JettonMaster)
  | ({ readonly kind: 'jetton_wallet' } & JettonWallet)
  | ({ readonly kind: 'nft_collection' } & NftCollection)
  | ({ readonly kind: 'nft_item'; readonly domain: Domain | undefined } & NftItem);

/** In order: the first kind that a contract matches counts. */
const READERS: readonly ((probe: ContractReader) => Promise<TokenData>)[] = [
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

/** Reads a contract as a token; undefined if it is not a token of any kind. */
export async function readTokenData(call: LiveCall, at: AccountAt): Promise<TokenData | undefined> {
  // Sequentially: the first that succeeds makes the rest unnecessary.
  for (const read of READERS) {
    try {
      return await read(openProbe(call, at));
    } catch (error) {
      if (!isContractFault(error)) throw error;
    }
  }
  return undefined;
}

/** Whether an error comes from the contract or from what it refers to, and not from a lite server or from us. */
function isContractFault(error: unknown): boolean {
  if (error instanceof InterfaceMismatch || error instanceof CellError || error instanceof VmRefusal)
    return true;
  if (!(error instanceof Failure) || error instanceof LiteServerError) return false;
  return error.kind === 'lite_server' && classifyFailure(error) === 'final';
}

/** Runs get-methods on an account as it was read; throws InterfaceMismatch if it has no code. */
function openProbe(call: LiveCall, at: AccountAt): ContractReader {
  const { account } = contractOf(call.ports.caches, at.proven) ?? throwMismatch('no code');
  return {
    account,
    async run(method, args = []) {
      const { exitCode, stack } = await runGetMethod(call, at, methodIdByName(method), args);
      return exitCode === 0 ? new MethodResult(stack) : throwMismatch(`exit code ${exitCode}`);
    },
    beside: async (other) => openProbe(call, await readAccountAtSameBlock(call, at, other)),
  };
}
