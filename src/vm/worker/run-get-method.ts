import { type Emulator, EmulatorBroken } from './emulator.ts';
import { readsLeftOut } from './reads-left-out.ts';
import type { GetMethodWire, RunReply } from './wire.ts';

/** What `_run_get_method` gives. */
interface Output {
  readonly success: boolean;
  readonly error: string;
  readonly stack: string;
  readonly gas_used: string;
  readonly vm_exit_code: number;
  readonly vm_log: string;
  readonly missing_library: string | null;
}

/** Gives the text of a shared bag of cells. */
export type TextOf = (key: string) => string;

/** Get-methods that were seen to read what is left out; a mistake here costs time, not truth. */
const MAX_READERS = 1000;

/**
 * Runs get-methods: with the trimmed configuration and without previous blocks, where that gives the same. The emulator
 * parses both anew for every run, which takes longer than most methods do.
 */
export class GetMethodRunner {
  readonly #readers = new Set<string>();

  /** Throws EmulatorBroken when the emulator is. */
  run(emulator: Emulator, run: GetMethodWire, textOf: TextOf): RunReply {
    const method = `${run.methodId} ${run.code.length} ${run.code.slice(-64)}`;
    if (run.trimmedConfig !== '' && !this.#readers.has(method)) {
      const params = paramsOf({ ...run, prevBlocks: '' }, textOf);
      const output = ask(emulator, params, run.stack, textOf(run.trimmedConfig));
      if (typeof output !== 'string' && !readsLeftOut(output.vm_log)) return replyOf(output, run.wantsLog);
      if (this.#readers.size >= MAX_READERS) this.#readers.clear();
      this.#readers.add(method);
    }
    const output = ask(emulator, paramsOf(run, textOf), run.stack, textOf(run.config));
    return typeof output === 'string' ? { type: 'refused', text: output } : replyOf(output, run.wantsLog);
  }
}

/** The output of a run, or why there is none. */
function ask(emulator: Emulator, params: string, stack: string, config: string): Output | string {
  const answer = emulator.ask('_run_get_method', params, stack, config);
  if (answer.failure !== undefined) return answer.failure;
  const output = answer.output as unknown as Output;
  if (!output.success) return output.error;
  // It goes on with nothing when it cannot read code or data, and writes over the start of its memory.
  if (output.vm_log === '') throw new EmulatorBroken('code or data cannot be read');
  return output;
}

function replyOf(output: Output, wantsLog: boolean): RunReply {
  return {
    type: 'get_method',
    exitCode: output.vm_exit_code,
    gasUsed: output.gas_used,
    stack: output.stack,
    missingLibrary: output.missing_library ?? '',
    log: wantsLog ? output.vm_log : undefined,
  };
}

function paramsOf(run: GetMethodWire, textOf: TextOf): string {
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

/** The emulator joins several currencies without a space between them, so all are given as one. */
function extraCurrencies(list: string): Record<string, string> {
  const equals = list.indexOf('=');
  return { [list.slice(0, equals)]: list.slice(equals + 1) };
}
