import type { GetMethodWire, RunReply, RunWire, TransactionWire } from '../runs.ts';
import type { WorkMessage, WorkReply } from '../work-encoder.ts';
import { Emulator, EmulatorBroken, type HeldEmulator, TransactionEmulators } from './emulator.ts';

/**
 * All instructions that can read the config root or the previous blocks in c7, by their names in the TVM log; some only
 * may. Everything else that depends on the config (fees, limits, versions) comes from parameters that a trimmed config
 * has. A child machine (RUNVM) logs elsewhere, but gets c7 only through these.
 */
const READERS = /^execute (?:CONFIG|PREV|GETPARAM|GETGLOBVAR|GETGLOB 0|PUSHCTRX|SETCONTCTRMANY|\S+ c7)/m;
/** All instructions that can read the unpacked parameters in c7, beside those. */
const FEE_READERS = /^execute (?:UNPACKEDCONFIG|GLOBALID|SENDMSG|GET\w*(?:FEE|GAS))/m;

/** Configs of a run, each a part of the next one. */
const CONFIGS = ['limitsConfig', 'trimmedConfig', 'config'] as const;
const [LIMITS, TRIMMED, WHOLE] = [0, 1, 2] as const;

/**
 * The config that has all that a run may have read. The emulator logs instructions at any verbosity, so a log without
 * instructions proves nothing.
 */
function configThatIsRead(log: string): number {
  if (!log.includes('execute ') || READERS.test(log)) return WHOLE;
  return FEE_READERS.test(log) ? TRIMMED : LIMITS;
}

interface GetMethodOutput {
  readonly success: boolean;
  readonly error: string;
  readonly stack: string;
  readonly gas_used: string;
  readonly vm_exit_code: number;
  readonly vm_log: string;
  readonly missing_library: string | null;
}

/** Returns the text of a shared bag of cells. */
type TextOf = (key: string) => string;

/** Get-methods known to need more than the smallest config; an error here costs time, not correctness. */
const MAX_READERS = 1000;

/**
 * Runs get-methods, with the smallest config that gives the same result, and without previous blocks where they are not
 * read. The emulator parses both on every run, which takes longer than most methods.
 */
class GetMethodRunner {
  readonly #readers = new Map<string, number>();

  /** Throws EmulatorBroken if the emulator failed. */
  run(emulator: Emulator, run: GetMethodWire, textOf: TextOf): RunReply {
    const method = `${run.methodId} ${run.code.length} ${run.code.slice(-64)}`;
    for (let part = this.#readers.get(method) ?? LIMITS; part < WHOLE; ) {
      const config = run[CONFIGS[part]!];
      if (config === '') {
        part++;
        continue;
      }
      const params = getMethodParams({ ...run, prevBlocks: '' }, textOf);
      const output = runEmulator(emulator, params, run.stack, textOf(config));
      const read = typeof output === 'string' ? WHOLE : configThatIsRead(output.vm_log);
      if (read <= part && typeof output !== 'string') return getMethodReply(output, run.wantsLog);
      if (this.#readers.size >= MAX_READERS) this.#readers.clear();
      this.#readers.set(method, read);
      part = read;
    }
    const output = runEmulator(emulator, getMethodParams(run, textOf), run.stack, textOf(run.config));
    return typeof output === 'string'
      ? { type: 'refused', text: output }
      : getMethodReply(output, run.wantsLog);
  }
}

/** The output of a run, or the error. */
function runEmulator(
  emulator: Emulator,
  params: string,
  stack: string,
  config: string,
): GetMethodOutput | string {
  const response = emulator.callJson('_run_get_method', params, stack, config);
  if (response.failure !== undefined) return response.failure;
  const output = response.output as unknown as GetMethodOutput;
  if (!output.success) return output.error;
  // If it cannot read code or data, it continues with a null pointer and overwrites the start of its memory.
  if (output.vm_log === '') throw new EmulatorBroken('code or data cannot be read');
  return output;
}

function getMethodReply(output: GetMethodOutput, wantsLog: boolean): RunReply {
  return {
    type: 'get_method',
    exitCode: output.vm_exit_code,
    gasUsed: output.gas_used,
    stack: output.stack,
    missingLibrary: output.missing_library ?? '',
    log: wantsLog ? output.vm_log : undefined,
  };
}

function getMethodParams(run: GetMethodWire, textOf: TextOf): string {
  return JSON.stringify({
    code: run.code,
    data: run.data,
    verbosity: run.verbosity,
    libs: run.libraries === '' ? '' : textOf(run.libraries),
    prev_blocks_info: run.prevBlocks === '' ? '' : textOf(run.prevBlocks),
    address: run.address,
    unixtime: run.utime,
    balance: run.balance,
    extra_currencies: run.extraCurrencies === '' ? undefined : extraCurrencies(run.extraCurrencies),
    rand_seed: run.randSeed,
    gas_limit: String(run.gasLimit),
    method_id: run.methodId,
    debug_enabled: false,
  });
}

/** The emulator joins several currencies without a separator, so they are passed as one. */
function extraCurrencies(list: string): Record<string, string> {
  const equals = list.indexOf('=');
  return { [list.slice(0, equals)]: list.slice(equals + 1) };
}

interface TransactionOutput {
  readonly success: boolean;
  readonly error: string;
  readonly external_not_accepted: boolean;
  readonly transaction: string;
  readonly shard_account: string;
  readonly actions: string | null;
  readonly vm_log: string;
  readonly vm_exit_code: number;
}

/** A library dictionary with the key 0, which nothing can refer to: there is no other way to remove libraries. */
export const NO_LIBRARIES = 'te6ccgEBAQEABAAAA9AI';
/** The stack value null, which removes previous blocks. */
export const NO_PREVIOUS_BLOCKS = 'te6ccgEBAQEAAwAAAgA=';

/** The TVM log, of which at least the end is always returned, has this text if a library is missing. */
const NO_LIBRARY = 'failed to load library cell';
/** The emulator destroys itself when it fails with this. */
const DESTROYED = "Can't set params";

/** Executes a transaction on `account`. Throws EmulatorBroken if the emulator failed. */
function runTransaction(
  emulator: Emulator,
  emulators: TransactionEmulators,
  run: TransactionWire,
  account: string,
  textOf: TextOf,
): RunReply {
  const held = emulators.get(run.config, run.verbosity, () => textOf(run.config));
  if (held === undefined) return { type: 'refused', text: 'the configuration cannot be read' };
  const startedAt = performance.now();
  const { output, failure } = emulator.callJson(
    '_emulate_with_emulator',
    held.address,
    librariesFor(held, run, textOf),
    account,
    run.message,
    transactionParams(held, run, textOf),
  );
  if (failure === DESTROYED) emulators.lost(held);
  if (output === undefined) return { type: 'refused', text: failure };
  held.libraries = run.libraries;
  held.prevBlocks = run.prevBlocks;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  return transactionReply(output as unknown as TransactionOutput, elapsedSeconds, run.wantsLog);
}

/** The libraries to set, or 0 if the emulator has them already. */
function librariesFor(held: HeldEmulator, { libraries }: TransactionWire, textOf: TextOf): string | number {
  if (libraries === held.libraries) return 0;
  return libraries === '' ? NO_LIBRARIES : textOf(libraries);
}

function transactionParams(held: HeldEmulator, run: TransactionWire, textOf: TextOf): string {
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

function transactionReply(output: TransactionOutput, elapsedSeconds: number, wantsLog: boolean): RunReply {
  // Without a log or any other output.
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

/** Does the jobs of one thread in an instance that is replaced when it fails. */
export class Runner {
  readonly #module: object;
  readonly #texts = new Map<string, string>();
  readonly #getMethods = new GetMethodRunner();
  #instance: { readonly emulator: Emulator; readonly emulators: TransactionEmulators } | undefined;
  /** The account after the last transaction of the job. */
  #account = '';

  constructor(module: object) {
    this.#module = module;
  }

  /** Creates the instance, so that the first run is as fast as the next. */
  async start(): Promise<void> {
    const emulator = await Emulator.create(this.#module);
    this.#instance = { emulator, emulators: new TransactionEmulators(emulator) };
  }

  /** Does a job; `step` is called before and after each run. */
  async work({ runs, fresh, forgotten }: WorkMessage, step: () => void): Promise<WorkReply> {
    for (const key of forgotten) this.#texts.delete(key);
    for (const [key, text] of fresh) this.#texts.set(key, text);
    this.#account = '';
    const replies: RunReply[] = [];
    for (const run of runs) {
      step();
      replies.push(await this.#run(run));
      step();
    }
    return { replies, memoryBytes: this.#instance?.emulator.memoryBytes ?? 0 };
  }

  async #run(run: RunWire): Promise<RunReply> {
    if (this.#instance === undefined) await this.start();
    const { emulator, emulators } = this.#instance!;
    try {
      if (run.type === 'get_method') return this.#getMethods.run(emulator, run, this.#textOf);
      const account = run.account || this.#account;
      if (account === '') return { type: 'refused', text: 'no account from a run before' };
      const reply = runTransaction(emulator, emulators, run, account, this.#textOf);
      this.#account = reply.type === 'transaction' ? reply.account : account;
      return reply;
    } catch (error) {
      if (!(error instanceof EmulatorBroken)) throw error;
      this.#instance = undefined;
      return { type: 'refused', text: `the emulator failed: ${error.message}` };
    }
  }

  readonly #textOf = (key: string): string => {
    const text = this.#texts.get(key);
    if (text === undefined) throw new Error('a shared bag of cells that was never sent');
    return text;
  };
}
