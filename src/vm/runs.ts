import { resultTooDeep } from '../chain/stack/entries.ts';
import type { ExtraCurrency } from '../chain/tlb/currency.ts';
import { VmCrash, VmRefusal } from './errors.ts';
import { type SharedBoc, toBase64, type VmConfig } from './shared-inputs.ts';

/** What every run has. Bags of cells have one root. */
interface RunInput {
  readonly config: VmConfig;
  /** A dictionary of libraries by hash: that of a masterchain state, or one with the needed ones. */
  readonly libraries?: SharedBoc | undefined;
  /** Made by `writePrevBlocks`. */
  readonly prevBlocks?: SharedBoc | undefined;
  /** Unix seconds. */
  readonly utime: number;
  /** From 0 to 5; if set, there is a log. */
  readonly verbosity?: number;
}

export interface GetMethodRun extends RunInput {
  /** Code and data of the account as bags of cells, as bytes or base64. */
  readonly code: Uint8Array | string;
  /** Any name of the code that no other code has. */
  readonly codeHash?: string;
  readonly data: Uint8Array | string;
  /** `workchain:hex`. */
  readonly address: string;
  /** Nanotons, less than 2^63: the emulator reads a signed integer. */
  readonly balance: bigint;
  readonly extraCurrencies?: readonly ExtraCurrency[];
  readonly methodId: number;
  /** Arguments as a bag of cells with a VmStack; no arguments if left out. */
  readonly stack?: Uint8Array | undefined;
  /** 4 000 000 by default. */
  readonly gasLimit?: number;
  /** 32 bytes; zeros by default. */
  readonly randSeed?: Uint8Array;
}

export type GetMethodResult = Readonly<ReturnType<typeof decodeGetMethod>>;

/** Of a get-method, as in existing servers. */
export const DEFAULT_GAS_LIMIT = 4_000_000;
const ZERO_SEED = '0'.repeat(64);
/** The largest balance that the emulator accepts. */
export const MAX_BALANCE = 2n ** 63n - 1n;
/** The emulator's error for a stack that exceeds the cell depth limit: more than 1023 values, or a long list. */
const TOO_DEEP = "Couldn't serialize stack";
const EMPTY_STACK = 'te6ccgEBAQEABQAABgAAAA==';

/** Encodes a run for a thread. Bags of cells are base64; shared ones are given by key. */
export function encodeGetMethod(run: GetMethodRun) {
  const { config, extraCurrencies = [], stack, gasLimit = DEFAULT_GAS_LIMIT, randSeed, verbosity } = run;
  if (run.balance > MAX_BALANCE) throw new VmRefusal('balance exceeds 64 bits');
  return {
    type: 'get_method' as const,
    code: asText(run.code),
    data: asText(run.data),
    /** A VmStack. */
    stack: stack === undefined ? EMPTY_STACK : toBase64(stack),
    address: run.address,
    utime: run.utime,
    balance: String(run.balance),
    /** `id=amount`, separated by spaces; empty for none. The emulator loops forever on an amount of 0. */
    extraCurrencies: extraCurrencies
      .filter(({ amount }) => amount > 0n)
      .map(({ id, amount }) => `${id >>> 0}=${amount}`)
      .join(' '),
    /** 64 hex digits. */
    randSeed: randSeed === undefined ? ZERO_SEED : Buffer.from(randSeed).toString('hex'),
    gasLimit,
    methodId: run.methodId,
    config: config.full.key,
    /** Empty for none, as the keys below. */
    trimmedConfig: config.trimmed?.key ?? '',
    limitsConfig: config.limits?.key ?? '',
    libraries: run.libraries?.key ?? '',
    prevBlocks: run.prevBlocks?.key ?? '',
    verbosity: verbosity ?? 0,
    wantsLog: verbosity !== undefined,
  };
}

function asText(boc: Uint8Array | string): string {
  return typeof boc === 'string' ? boc : toBase64(boc);
}

/** The shared bags of cells of a run. */
export function textsOfGetMethod({ config, libraries, prevBlocks }: GetMethodRun): SharedBoc[] {
  return [config.full, config.trimmed, config.limits, libraries, prevBlocks].filter(
    (text) => text !== undefined,
  );
}

/** Decodes the reply of a thread; throws if there is no result. */
export function decodeGetMethod(reply: RunReply) {
  if (reply.type === 'refused' && reply.text === TOO_DEEP) throw resultTooDeep();
  if (reply.type !== 'get_method') throw new VmRefusal(reply.type === 'refused' ? reply.text : reply.type);
  return {
    exitCode: reply.exitCode,
    gasUsed: Number(reply.gasUsed),
    /** A bag of cells with a VmStack. */
    stack: Buffer.from(reply.stack, 'base64') as Buffer,
    /** Hash of the last library that was missing. */
    missingLibrary: reply.missingLibrary === '' ? undefined : Buffer.from(reply.missingLibrary, 'hex'),
    log: reply.log,
  };
}

/** The cause of a transaction: a message (its original bag of cells, never serialised again), tick or tock. */
export type TransactionCause = { readonly message: Uint8Array } | { readonly tickTock: 'tick' | 'tock' };

export type TransactionRun = TransactionInput & TransactionCause;

interface TransactionInput extends RunInput {
  /**
   * The ShardAccount as a bag of cells; for an account that does not exist, one with account_none. If left out in a
   * list, it is the account after the run before.
   */
  readonly shardAccount?: Uint8Array;
  /** Earliest logical time; later if the account's last transaction ends later. */
  readonly lt: bigint;
  /** Of the block, 32 bytes. The emulator replaces zeros by a random seed. */
  readonly randSeed: Uint8Array;
  /** Every signature check succeeds. */
  readonly ignoreSignature?: boolean;
}

export type TransactionOutcome = Readonly<ReturnType<typeof decodeTransaction>>;

export function encodeTransaction(run: TransactionRun) {
  return {
    type: 'transaction' as const,
    /** A ShardAccount; empty for the account after the run before. */
    account: run.shardAccount === undefined ? '' : toBase64(run.shardAccount),
    /** Empty for tick and tock. */
    message: 'message' in run ? toBase64(run.message) : '',
    tickTock: 'tickTock' in run ? run.tickTock : ('' as const),
    lt: String(run.lt),
    utime: run.utime,
    randSeed: Buffer.from(run.randSeed).toString('hex'),
    ignoreSignature: run.ignoreSignature ?? false,
    config: run.config.full.key,
    libraries: run.libraries?.key ?? '',
    prevBlocks: run.prevBlocks?.key ?? '',
    verbosity: run.verbosity ?? 0,
    wantsLog: run.verbosity !== undefined,
  };
}

export function textsOfTransaction({ config, libraries, prevBlocks }: TransactionRun): SharedBoc[] {
  return [config.full, libraries, prevBlocks].filter((text) => text !== undefined);
}

export function decodeTransaction(reply: RunReply) {
  switch (reply.type) {
    case 'transaction':
      return {
        kind: 'done' as const,
        /** Bags of cells. */
        transaction: Buffer.from(reply.transaction, 'base64'),
        shardAccount: Buffer.from(reply.account, 'base64'),
        actions: reply.actions === '' ? undefined : Buffer.from(reply.actions, 'base64'),
        /** Time in the thread. */
        elapsedSeconds: reply.elapsedSeconds,
        /** A library was missing. */
        lacksLibrary: reply.lacksLibrary,
        log: reply.log,
      };
    // The account did not accept the external message.
    case 'not_accepted': {
      const { exitCode, text, elapsedSeconds, lacksLibrary, log } = reply;
      return { kind: 'not_accepted' as const, exitCode, text, elapsedSeconds, lacksLibrary, log };
    }
    // There is no transaction, with the emulator's reason.
    case 'refused':
      return { kind: 'refused' as const, text: reply.text };
    default:
      throw new VmCrash('reply of another kind');
  }
}

/** Runs in a message to a thread. */
export type GetMethodWire = Readonly<ReturnType<typeof encodeGetMethod>>;
export type TransactionWire = Readonly<ReturnType<typeof encodeTransaction>>;
export type RunWire = GetMethodWire | TransactionWire;

/** The reply of a thread to a run. */
export type RunReply =
  | {
      readonly type: 'get_method';
      readonly exitCode: number;
      readonly gasUsed: string;
      readonly stack: string;
      /** Hex of a hash; empty for none. */
      readonly missingLibrary: string;
      readonly log: string | undefined;
    }
  | {
      readonly type: 'transaction';
      readonly transaction: string;
      readonly account: string;
      /** Empty for none. */
      readonly actions: string;
      readonly elapsedSeconds: number;
      readonly lacksLibrary: boolean;
      readonly log: string | undefined;
    }
  | {
      readonly type: 'not_accepted';
      readonly exitCode: number;
      readonly text: string;
      readonly elapsedSeconds: number;
      readonly lacksLibrary: boolean;
      readonly log: string;
    }
  /** The emulator rejected the input, or failed. */
  | { readonly type: 'refused'; readonly text: string };
