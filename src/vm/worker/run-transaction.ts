import type { Emulator } from './emulator.ts';
import type { TextOf } from './run-get-method.ts';
import type { HeldEmulator, TransactionEmulators } from './transaction-emulators.ts';
import type { RunReply, TransactionWire } from './wire.ts';

/** What `_emulate_with_emulator` gives. */
interface Output {
  readonly success: boolean;
  readonly error: string;
  readonly external_not_accepted: boolean;
  readonly transaction: string;
  readonly shard_account: string;
  readonly actions: string | null;
  readonly vm_log: string;
  readonly vm_exit_code: number;
}

/** A dictionary of libraries that nothing can refer to (its key is 0): the emulator knows no other way to have none. */
export const NO_LIBRARIES = 'te6ccgEBAQEABAAAA9AI';
/** The stack value null, which takes previous blocks away. */
export const NO_PREVIOUS_BLOCKS = 'te6ccgEBAQEAAwAAAgA=';

/** What the log of TVM, of which at least the end is always told, says of a library that is not there. */
const NO_LIBRARY = 'failed to load library cell';
/** The emulator destroys itself when it fails with this. */
const DESTROYED = "Can't set params";

/** Makes a transaction on `account`. Throws EmulatorBroken when the emulator is. */
export function runTransaction(
  emulator: Emulator,
  emulators: TransactionEmulators,
  run: TransactionWire,
  account: string,
  textOf: TextOf,
): RunReply {
  const held = emulators.get(run.config, run.verbosity, () => textOf(run.config));
  if (held === undefined) return { type: 'refused', text: 'the configuration cannot be read' };
  const startedAt = performance.now();
  const { output, failure } = emulator.ask(
    '_emulate_with_emulator',
    held.address,
    librariesFor(held, run, textOf),
    account,
    run.message,
    paramsOf(held, run, textOf),
  );
  if (failure === DESTROYED) emulators.lost(held);
  if (output === undefined) return { type: 'refused', text: failure };
  held.libraries = run.libraries;
  held.prevBlocks = run.prevBlocks;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  return replyOf(output as unknown as Output, elapsedSeconds, run.wantsLog);
}

/** The libraries to set, or 0 if the emulator has them from the last time. */
function librariesFor(held: HeldEmulator, { libraries }: TransactionWire, textOf: TextOf): string | number {
  if (libraries === held.libraries) return 0;
  return libraries === '' ? NO_LIBRARIES : textOf(libraries);
}

function paramsOf(held: HeldEmulator, run: TransactionWire, textOf: TextOf): string {
  const { prevBlocks } = run;
  const newBlocks = prevBlocks === '' ? NO_PREVIOUS_BLOCKS : textOf(prevBlocks);
  return JSON.stringify({
    utime: run.utime,
    lt: run.lt,
    rand_seed: run.randSeed,
    ignore_chksig: run.ignoreSignature,
    debug_enabled: false,
    is_tick_tock: run.tickTock !== '',
    is_tock: run.tickTock === 'tock',
    prev_blocks_info: prevBlocks === held.prevBlocks ? undefined : newBlocks,
  });
}

function replyOf(output: Output, elapsedSeconds: number, wantsLog: boolean): RunReply {
  // In that case there is no log, nor anything else.
  if (!output.success && !output.external_not_accepted) return { type: 'refused', text: output.error };
  const { vm_log: log } = output;
  const lacksLibrary = log.includes(NO_LIBRARY);
  if (output.success)
    return {
      type: 'transaction',
      transaction: output.transaction,
      account: output.shard_account,
      actions: output.actions ?? '',
      elapsedSeconds,
      lacksLibrary,
      log: wantsLog ? log : undefined,
    };
  const { vm_exit_code: exitCode, error: text } = output;
  return { type: 'not_accepted', exitCode, text, elapsedSeconds, lacksLibrary, log };
}
