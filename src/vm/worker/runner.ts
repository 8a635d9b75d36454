import { Emulator, EmulatorBroken } from './emulator.ts';
import { GetMethodRunner } from './run-get-method.ts';
import { runTransaction } from './run-transaction.ts';
import { TransactionEmulators } from './transaction-emulators.ts';
import type { RunReply, RunWire, WorkMessage, WorkReply } from './wire.ts';

interface Instance {
  readonly emulator: Emulator;
  readonly emulators: TransactionEmulators;
}

/** Does the jobs of one thread, one after another, in an instance that is replaced when it breaks. */
export class Runner {
  readonly #module: object;
  readonly #texts = new Map<string, string>();
  readonly #getMethods = new GetMethodRunner();
  #instance: Instance | undefined;
  /** The account that the last transaction of the job left. */
  #account = '';

  constructor(module: object) {
    this.#module = module;
  }

  /** Makes the first run as quick as the next: there is an instance from now on. */
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
