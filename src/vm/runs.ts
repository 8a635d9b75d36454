import { resultTooDeep } from '../chain/stack/entries.ts';
import type { ExtraCurrency } from '../chain/tlb/currency.ts';
import { VmCrash, VmRefusal } from './errors.ts';
import { type SharedBoc, toBase64, type VmConfig } from './shared-inputs.ts';
import type { GetMethodWire, RunReply, TransactionWire } from './worker/protocol.ts';

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

/** What makes an account act: a message (the bag of cells with it as it came, never written anew), tick or tock. */
export type TransactionCause = { readonly message: Uint8Array } | { readonly tickTock: 'tick' | 'tock' };

/** A transaction to be made. Bags of cells have one root. */
export type TransactionRun = TransactionCause & {
  /**
   * A bag of cells with the ShardAccount; for an account that does not exist one with account_none. Left out in a
   * list, it is the account as the run before it left it.
   */
  readonly shardAccount?: Uint8Array;
  readonly config: VmConfig;
  /** The root of a dictionary of libraries by hash: of a masterchain state, or put together of those needed. */
  readonly libraries?: SharedBoc | undefined;
  /** Made by `writePrevBlocks`. */
  readonly prevBlocks?: SharedBoc | undefined;
  /** The earliest logical time; it is later if the account's last transaction ends later. */
  readonly lt: bigint;
  /** Unix seconds. */
  readonly utime: number;
  /** The block's, 32 bytes. The emulator puts a random one in the place of zeros. */
  readonly randSeed: Uint8Array;
  /** Every signature check succeeds. */
  readonly ignoreSignature?: boolean;
  /** From 0 to 5; with it, the outcome has a log. */
  readonly verbosity?: number;
};

/** What came of a transaction. */
export type TransactionOutcome =
  | {
      readonly kind: 'done';
      /** Bags of cells. */
      readonly transaction: Buffer;
      readonly shardAccount: Buffer;
      readonly actions: Buffer | undefined;
      /** Time of the thread. */
      readonly elapsedSeconds: number;
      /** A library was looked for and not found. */
      readonly lacksLibrary: boolean;
      readonly log: string | undefined;
    }
  /** The account did not accept the external message. */
  | {
      readonly kind: 'not_accepted';
      readonly exitCode: number;
      readonly text: string;
      readonly elapsedSeconds: number;
      readonly lacksLibrary: boolean;
      readonly log: string;
    }
  /** There is no transaction, for the reason that the emulator gives. */
  | { readonly kind: 'refused'; readonly text: string };

/** The run as a thread is told. */
export function encodeTransaction(run: TransactionRun): TransactionWire {
  return {
    type: 'transaction',
    account: run.shardAccount === undefined ? '' : toBase64(run.shardAccount),
    message: 'message' in run ? toBase64(run.message) : '',
    tickTock: 'tickTock' in run ? run.tickTock : '',
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

/** The shared bags of cells that a run needs. */
export function textsOfTransaction({ config, libraries, prevBlocks }: TransactionRun): SharedBoc[] {
  return [config.full, libraries, prevBlocks].filter((text) => text !== undefined);
}

/** The outcome that a thread tells. */
export function decodeTransaction(reply: RunReply): TransactionOutcome {
  switch (reply.type) {
    case 'transaction':
      return {
        kind: 'done',
        transaction: Buffer.from(reply.transaction, 'base64'),
        shardAccount: Buffer.from(reply.account, 'base64'),
        actions: reply.actions === '' ? undefined : Buffer.from(reply.actions, 'base64'),
        elapsedSeconds: reply.elapsedSeconds,
        lacksLibrary: reply.lacksLibrary,
        log: reply.log,
      };
    case 'not_accepted': {
      const { exitCode, text, elapsedSeconds, lacksLibrary, log } = reply;
      return { kind: 'not_accepted', exitCode, text, elapsedSeconds, lacksLibrary, log };
    }
    case 'refused':
      return { kind: 'refused', text: reply.text };
    default:
      throw new VmCrash('an answer of another kind');
  }
}
