import { CellError } from '../chain/boc/cells.ts';
import {
  type DnsEntry,
  decodeDnsName,
  dnsCategory,
  encodeDnsName,
  readDnsRecord,
  readDnsRecords,
} from '../chain/contracts/dns.ts';
import { methodIdByName } from '../chain/contracts/method-ids.ts';
import { bytesArgument } from '../chain/stack/arguments.ts';
import { type CellEntry, intEntry, type StackEntry } from '../chain/stack/entries.ts';
import { readAccount } from '../chain/tlb/account.ts';
import { Failure } from '../lib/errors.ts';
import { type AccountAt, readAccountAtSameBlock } from './accounts.ts';
import { runGetMethod } from './get-methods.ts';
import type { LiveCall } from './session.ts';

interface NameQuery {
  readonly name: string;
  /** Undefined for records of all categories. */
  readonly category: Buffer | undefined;
  /** How many further resolvers may be queried. */
  readonly hops: number;
}

/** The records of a name, or of the part of it that could be resolved. */
export interface ResolvedName {
  readonly name: string;
  readonly entries: readonly DnsEntry[];
}

const NEXT_RESOLVER = dnsCategory('dns_next_resolver');
const DNSRESOLVE = methodIdByName('dnsresolve');
/** A name has fewer parts than this. */
const MAX_HOPS = 32;

/** Resolves a name, following next resolvers as often as allowed. Error texts are those of tonlib. */
export async function resolveName(
  call: LiveCall,
  resolver: AccountAt,
  query: NameQuery,
): Promise<ResolvedName> {
  let at = resolver;
  let { name } = query;
  for (let hops = Math.min(query.hops, MAX_HOPS); ; hops--) {
    const result = await queryResolver(call, at, name, query.category);
    const [entry] = result.entries;
    if (hops === 0 || !result.isPartial || entry?.record.kind !== 'next_resolver') return result;
    name = restOfName(name, result.name);
    at = await readAccountAtSameBlock(call, at, entry.record.address);
  }
}

async function queryResolver(
  call: LiveCall,
  at: AccountAt,
  name: string,
  category: Buffer | undefined,
): Promise<ResolvedName & { readonly isPartial: boolean }> {
  const encoded = encodeDnsName(name);
  checkActive(at);
  const number = category === undefined ? 0n : BigInt(`0x${category.toString('hex')}`);
  const args = [bytesArgument(encoded), intEntry(number)];
  const { exitCode, stack } = await runGetMethod(call, at, DNSRESOLVE, args);
  if (exitCode !== 0 && exitCode !== 1) throw methodFailed();
  const { bytes, data } = readResult(stack, encoded.length);
  if (data === undefined || bytes === 0) return { name, entries: [], isPartial: false };
  if (bytes < encoded.length) {
    const part = decodeDnsName(encoded.subarray(0, bytes));
    return { name: part, entries: oneEntry(data, NEXT_RESOLVER), isPartial: true };
  }
  const isAll = number === 0n;
  return { name, entries: isAll ? allEntries(data) : oneEntry(data, category!), isPartial: false };
}

/** An account that does not exist is not checked here: the run fails. */
function checkActive({ proven: { account } }: AccountAt): void {
  const state = account && readAccount(account.cells, account.cell)?.state;
  if (state !== undefined && state.kind !== 'active')
    throw new Failure('lite_server', 'VALIDATE_ACCOUNT_STATEAccount is not active');
}

/** Reads how many bytes of the name were resolved, and to what; the top of the stack comes last. */
function readResult(
  stack: readonly StackEntry[],
  maxBytes: number,
): { readonly bytes: number; readonly data: CellEntry | undefined } {
  const data = stack.at(-1);
  if (data?.type === 'null') return { bytes: 0, data: undefined };
  const bits = stack.at(-2);
  if (data?.type !== 'cell' || bits?.type !== 'int' || bits.value < 0n || bits.value > maxBytes * 8)
    throw methodFailed();
  if (bits.value % 8n !== 0n) throw new Failure('lite_server', 'Prefix size is not divisible by 8');
  return { bytes: Number(bits.value) / 8, data: data as CellEntry };
}

function allEntries({ cells, cell }: CellEntry): DnsEntry[] {
  try {
    return readDnsRecords(cells, cell);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    throw new Failure('lite_server', 'Invalid DNS category dictionary', { cause: error });
  }
}

/** A record that cannot be parsed is left out. */
function oneEntry({ cells, cell }: CellEntry, category: Buffer): DnsEntry[] {
  const record = readDnsRecord(cells, cell);
  return record === undefined ? [] : [{ category, record }];
}

/** The rest of a name before the part that was resolved. */
function restOfName(name: string, part: string): string {
  if (!name.endsWith(part)) throw new Failure('lite_server', 'INTERNALdomain is not a suffix of the query');
  const rest = name.slice(0, name.length - part.length);
  if (rest !== '' && !rest.endsWith('.') && !part.startsWith('.'))
    throw new Failure('lite_server', 'next resolver error: domain split not at a component boundary ');
  return rest;
}

function methodFailed(): Failure {
  return new Failure('lite_server', 'get method failed');
}
