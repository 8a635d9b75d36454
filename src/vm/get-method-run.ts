import { resultTooDeep } from '../chain/stack/stack-limits.ts';
import type { ExtraCurrency } from '../chain/tlb/currency.ts';
import { VmRefusal } from './errors.ts';
import { type SharedBoc, toBase64 } from './shared-boc.ts';
import type { VmConfig } from './vm-config.ts';
import type { GetMethodWire, RunReply } from './worker/wire.ts';

/** A run of a get-method. Bags of cells have one root. */
export interface GetMethodRun {
  /** Bags of cells with the account's code and data; a text is one in base64 already. */
  readonly code: Uint8Array | string;
  readonly data: Uint8Array | string;
  /** `workchain:hex`. */
  readonly address: string;
  /** Nanotons, fewer than 2^63: the emulator reads them with a sign. */
  readonly balance: bigint;
  readonly extraCurrencies?: readonly ExtraCurrency[];
  readonly config: VmConfig;
  /** The root of a dictionary of libraries by hash: of a masterchain state, or put together of those needed. */
  readonly libraries?: SharedBoc | undefined;
  /** Made by `writePrevBlocks`. */
  readonly prevBlocks?: SharedBoc | undefined;
  /** Unix seconds. */
  readonly utime: number;
  readonly methodId: number;
  /** A bag of cells with a VmStack of the arguments; none if left out. */
  readonly stack?: Uint8Array | undefined;
  /** 4 000 000 unless told otherwise. */
  readonly gasLimit?: number;
  /** 32 bytes; zeros unless told otherwise. */
  readonly randSeed?: Uint8Array;
  /** From 0 to 5; with it, the result has a log. */
  readonly verbosity?: number;
}

/** What a get-method gave. */
export interface GetMethodResult {
  readonly exitCode: number;
  readonly gasUsed: number;
  /** A bag of cells with a VmStack. */
  readonly stack: Buffer;
  /** The hash of the last library that was looked for and not found. */
  readonly missingLibrary: Buffer | undefined;
  readonly log: string | undefined;
}

const DEFAULT_GAS_LIMIT = 4_000_000;
const ZERO_SEED = '0'.repeat(64);
/** The largest balance that the emulator can be told. */
export const MAX_BALANCE = 2n ** 63n - 1n;
/** What the emulator says of a stack that would make cells deeper than cells can be: one of more than 1023 values, or a list. */
const TOO_DEEP = "Couldn't serialize stack";
/** A VmStack of nothing. */
const EMPTY_STACK = 'te6ccgEBAQEABQAABgAAAA==';

/** The run as a thread is told. */
export function encodeGetMethod(run: GetMethodRun): GetMethodWire {
  const { config, extraCurrencies = [], stack, gasLimit = DEFAULT_GAS_LIMIT, randSeed, verbosity } = run;
  if (run.balance > MAX_BALANCE) throw new VmRefusal('a balance that does not fit 64 bits');
  return {
    type: 'get_method',
    code: asText(run.code),
    data: asText(run.data),
    stack: stack === undefined ? EMPTY_STACK : toBase64(stack),
    address: run.address,
    utime: run.utime,
    balance: String(run.balance),
    // The emulator loops without end over an amount of 0.
    extraCurrencies: extraCurrencies
      .filter(({ amount }) => amount > 0n)
      .map(({ id, amount }) => `${id >>> 0}=${amount}`)
      .join(' '),
    randSeed: randSeed === undefined ? ZERO_SEED : Buffer.from(randSeed).toString('hex'),
    gasLimit,
    methodId: run.methodId,
    config: config.full.key,
    trimmedConfig: config.trimmed?.key ?? '',
    libraries: run.libraries?.key ?? '',
    prevBlocks: run.prevBlocks?.key ?? '',
    verbosity: verbosity ?? 0,
    wantsLog: verbosity !== undefined,
  };
}

function asText(boc: Uint8Array | string): string {
  return typeof boc === 'string' ? boc : toBase64(boc);
}

/** The shared bags of cells that a run needs. */
export function textsOfGetMethod({ config, libraries, prevBlocks }: GetMethodRun): SharedBoc[] {
  return [config.full, config.trimmed, libraries, prevBlocks].filter((text) => text !== undefined);
}

/** The result that a thread tells; throws when there is none. */
export function decodeGetMethod(reply: RunReply): GetMethodResult {
  if (reply.type === 'refused' && reply.text === TOO_DEEP) throw resultTooDeep();
  if (reply.type !== 'get_method') throw new VmRefusal(reply.type === 'refused' ? reply.text : reply.type);
  return {
    exitCode: reply.exitCode,
    gasUsed: Number(reply.gasUsed),
    stack: Buffer.from(reply.stack, 'base64'),
    missingLibrary: reply.missingLibrary === '' ? undefined : Buffer.from(reply.missingLibrary, 'hex'),
    log: reply.log,
  };
}
