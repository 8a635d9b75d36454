import { readFile } from 'node:fs/promises';
import type { SeqnoRange } from '../../index/snapshot.ts';
import { createBackOff } from '../../lib/back-off.ts';
import { StartError } from '../../lib/errors.ts';
import { pause } from '../../lib/wait.ts';

/** A bag with pack files. */
export interface BlockBag extends SeqnoRange {
  /** 64 hex digits. */
  readonly bag: string;
}

/** A bag with the state files of a masterchain block. */
export interface StateBag {
  readonly mcSeqno: number;
  readonly bag: string;
}

/** The bags of an archive, in ascending order. */
export interface DumpList {
  readonly blocks: readonly BlockBag[];
  readonly states: readonly StateBag[];
}

const PUBLIC_LISTS: Readonly<Record<string, string>> = {
  mainnet: 'https://archival-dump.ton.org/index/mainnet.json',
  testnet: 'https://archival-dump.ton.org/index/testnet.json',
};

/** Where the list of a network's bags is published; undefined if it is not. */
export function publicDumpList(network: string): string | undefined {
  return PUBLIC_LISTS[network];
}

const TIMEOUT_MS = 30_000;
const TRIES = 5;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** Reads the list of bags from a URL or a file; throws StartError if it cannot be had or used. */
export async function readDumpList(source: string, signal: AbortSignal): Promise<DumpList> {
  try {
    return parseDumpList(
      /^https?:\/\//i.test(source) ? await download(source, signal) : await readFile(source, 'utf8'),
    );
  } catch (error) {
    signal.throwIfAborted();
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    throw new StartError(`--dump: the list of bags ${source} cannot be used: ${reason}`, { cause: error });
  }
}

async function download(url: string, signal: AbortSignal): Promise<string> {
  const backOff = createBackOff({ firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS });
  for (let attempt = 1; ; attempt++)
    try {
      const response = await fetch(url, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      if (!response.ok) throw new Error(`the server responded with status ${response.status}`);
      return await response.text();
    } catch (error) {
      if (attempt === TRIES || signal.aborted) throw error;
      await pause(backOff.next(), signal);
    }
}

function parseDumpList(text: string): DumpList {
  const list = objectOf(JSON.parse(text), 'it');
  const blocks = itemsOf(list, 'blocks').map((item, i) => {
    const name = `blocks[${i}]`;
    const one = objectOf(item, name);
    const bag = { first: seqnoOf(one, 'from', name), last: seqnoOf(one, 'to', name), bag: bagOf(one, name) };
    if (bag.last < bag.first) throw new Error(`${name} ends before it begins`);
    return bag;
  });
  const states = itemsOf(list, 'states').map((item, i) => {
    const one = objectOf(item, `states[${i}]`);
    return { mcSeqno: seqnoOf(one, 'at_block', `states[${i}]`), bag: bagOf(one, `states[${i}]`) };
  });
  return {
    blocks: blocks.sort((a, b) => a.first - b.first),
    states: states.sort((a, b) => a.mcSeqno - b.mcSeqno),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function objectOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${name} is not an object`);
  return value as Fields;
}

/** A list that is left out is empty. */
function itemsOf(fields: Fields, name: string): readonly unknown[] {
  const items = fields[name] ?? [];
  if (!Array.isArray(items)) throw new Error(`${name} is not a list`);
  return items;
}

function seqnoOf(fields: Fields, key: string, name: string): number {
  const value = fields[key];
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error(`${name}.${key} is not a seqno`);
  return value as number;
}

function bagOf({ bag }: Fields, name: string): string {
  if (typeof bag !== 'string' || !/^[0-9a-f]{64}$/i.test(bag))
    throw new Error(`${name}.bag is not the id of a bag: 64 hex digits`);
  return bag.toLowerCase();
}
