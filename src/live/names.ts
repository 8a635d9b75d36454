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
import { type AccountAt, accountAtSameBlock } from './accounts.ts';
import { runGetMethod } from './get-methods.ts';
import type { LiveCall } from './session.ts';

/** A question to a resolver. */
interface NameQuery {
  readonly name: string;
  /** Undefined for all categories. */
  readonly category: Buffer | undefined;
  /** How many more resolvers may be asked. */
  readonly hops: number;
}

/** What a resolver knows: records of a name, or of the part of it that it could resolve. */
export interface ResolvedName {
  readonly name: string;
  readonly entries: readonly DnsEntry[];
}

const NEXT_RESOLVER = dnsCategory('dns_next_resolver');
const DNSRESOLVE = methodIdByName('dnsresolve');
/** Names are short, so a longer way is no way. */
const MAX_HOPS = 32;

/** Resolves a name, going on to the next resolver as often as is allowed. Texts of failures are those of tonlib. */
export async function resolveName(
  call: LiveCall,
  resolver: AccountAt,
  question: NameQuery,
): Promise<ResolvedName> {
  let at = resolver;
  let { name } = question;
  for (let hops = Math.min(question.hops, MAX_HOPS); ; hops--) {
    const found = await askResolver(call, at, name, question.category);
    const [entry] = found.entries;
    if (hops === 0 || !found.isPart || entry?.record.kind !== 'next_resolver') return found;
    name = restOfName(name, found.name);
    at = await accountAtSameBlock(call, at, entry.record.address);
  }
}

async function askResolver(
  call: LiveCall,
  at: AccountAt,
  name: string,
  category: Buffer | undefined,
): Promise<ResolvedName & { readonly isPart: boolean }> {
  const encoded = encodeDnsName(name);
  checkActive(at);
  const number = category === undefined ? 0n : BigInt(`0x${category.toString('hex')}`);
  const args = [bytesArgument(encoded), intEntry(number)];
  const { exitCode, stack } = await runGetMethod(call, at, DNSRESOLVE, args);
  if (exitCode !== 0 && exitCode !== 1) throw failed();
  const { bytes, data } = readResult(stack, encoded.length);
  if (data === undefined || bytes === 0) return { name, entries: [], isPart: false };
  if (bytes < encoded.length) {
    const part = decodeDnsName(encoded.subarray(0, bytes));
    return { name: part, entries: oneEntry(data, NEXT_RESOLVER), isPart: true };
  }
  const isAll = number === 0n;
  return { name, entries: isAll ? allEntries(data) : oneEntry(data, category!), isPart: false };
}

/** An account that does not exist is left to the run, which fails. */
function checkActive({ proven: { account } }: AccountAt): void {
  const state = account && readAccount(account.cells, account.cell)?.state;
  if (state !== undefined && state.kind !== 'active')
    throw new Failure('lite_server', 'VALIDATE_ACCOUNT_STATEAccount is not active');
}

/** How many bytes of the name were resolved, and to what; the top of the stack comes last. */
function readResult(
  stack: readonly StackEntry[],
  most: number,
): { readonly bytes: number; readonly data: CellEntry | undefined } {
  const data = stack.at(-1);
  if (data?.type === 'null') return { bytes: 0, data: undefined };
  const bits = stack.at(-2);
  if (data?.type !== 'cell' || bits?.type !== 'int' || bits.value < 0n || bits.value > most * 8)
    throw failed();
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

/** A record that cannot be read is left out. */
function oneEntry({ cells, cell }: CellEntry, category: Buffer): DnsEntry[] {
  const record = readDnsRecord(cells, cell);
  return record === undefined ? [] : [{ category, record }];
}

/** What stands before the part of a name that was resolved. */
function restOfName(name: string, part: string): string {
  if (!name.endsWith(part)) throw new Failure('lite_server', 'INTERNALdomain is not a suffix of the query');
  const rest = name.slice(0, name.length - part.length);
  if (rest !== '' && !rest.endsWith('.') && !part.startsWith('.'))
    throw new Failure('lite_server', 'next resolver error: domain split not at a component boundary ');
  return rest;
}

function failed(): Failure {
  return new Failure('lite_server', 'get method failed');
}
