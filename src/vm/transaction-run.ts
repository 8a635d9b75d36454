import { VmCrash } from './errors.ts';
import { type SharedBoc, toBase64 } from './shared-boc.ts';
import type { VmConfig } from './vm-config.ts';
import type { RunReply, TransactionWire } from './worker/wire.ts';

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
