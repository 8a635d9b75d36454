import { type EmulatorFunctions, instantiateEmulator, type WasmMemory } from './emulator-module.ts';

/** The instance threw or aborted: what it holds cannot be trusted any more. */
export class EmulatorBroken extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'EmulatorBroken';
  }
}

/** What the emulator says: an output, or why there is none. */
export type EmulatorAnswer =
  | { readonly output: Readonly<Record<string, unknown>>; readonly failure?: undefined }
  | { readonly output?: undefined; readonly failure: string };

/** The log of the emulator's own doings, which repeats that of TVM, follows what counts. Quotes in texts are escaped. */
const LOGS_FOLLOW = Buffer.from('},"logs":"');

/** One instance of the emulator, called with texts and numbers. */
export class Emulator {
  readonly #functions: EmulatorFunctions;
  readonly #memory: WasmMemory;
  #bytes: Buffer;

  private constructor(functions: EmulatorFunctions, memory: WasmMemory) {
    this.#functions = functions;
    this.#memory = memory;
    this.#bytes = Buffer.from(memory.buffer);
  }

  static async create(module: object): Promise<Emulator> {
    const { functions, memory } = await instantiateEmulator(module);
    return new Emulator(functions, memory);
  }

  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Calls one of the functions that give an answer. */
  ask(
    name: '_run_get_method' | '_emulate_with_emulator',
    ...args: readonly (string | number)[]
  ): EmulatorAnswer {
    const text = this.#takeAnswer(this.#call(name, args));
    try {
      const answer = JSON.parse(text);
      return 'output' in answer ? answer : { failure: String(answer.message) };
    } catch (error) {
      throw new EmulatorBroken('an answer that is no JSON', error);
    }
  }

  /** An emulator of transactions on a configuration, which it keeps; 0 if it cannot read it. */
  createTransactionEmulator(config: string, verbosity: number): number {
    return this.#call('_create_emulator', [config, verbosity]);
  }

  destroyTransactionEmulator(emulator: number): void {
    this.#call('_destroy_emulator', [emulator]);
  }

  #call(name: keyof EmulatorFunctions, args: readonly (string | number)[]): number {
    try {
      const addresses = args.map((arg) => (typeof arg === 'string' ? this.#put(arg) : arg));
      const call = this.#functions[name] as (...args: number[]) => number;
      const result = call(...addresses);
      for (let i = 0; i < args.length; i++)
        if (typeof args[i] === 'string') this.#functions._free(addresses[i]!);
      return result;
    } catch (error) {
      throw new EmulatorBroken(error instanceof Error ? error.message : 'a C++ exception', error);
    }
  }

  #put(text: string): number {
    const address = this.#functions._malloc(text.length + 1);
    if (address === 0) throw new Error('no memory left');
    const bytes = this.#heap();
    bytes.write(text, address, 'latin1');
    bytes[address + text.length] = 0;
    return address;
  }

  #takeAnswer(address: number): string {
    const bytes = this.#heap();
    const whole = bytes.subarray(address, bytes.indexOf(0, address));
    const end = whole.indexOf(LOGS_FOLLOW);
    const text = end < 0 ? whole.toString() : `${whole.toString('utf8', 0, end + 1)}}`;
    this.#functions._free(address);
    return text;
  }

  #heap(): Buffer {
    if (this.#bytes.buffer !== this.#memory.buffer) this.#bytes = Buffer.from(this.#memory.buffer);
    return this.#bytes;
  }
}
