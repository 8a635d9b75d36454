import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The part of WebAssembly that is used here; the types of Node leave it out. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new () => WasmMemory;
  readonly Table: new () => { get(index: number): unknown };
};

/** The memory of an instance. Its buffer is another one after it has grown. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The functions of an instance. Texts go in and out as addresses of strings that end in a zero. */
interface EmulatorFunctions {
  _malloc(size: number): number;
  _free(address: number): void;
  _create_emulator(config: number, verbosity: number): number;
  _destroy_emulator(emulator: number): void;
  _emulate_with_emulator(
    emulator: number,
    libraries: number,
    account: number,
    message: number,
    params: number,
  ): number;
  _run_get_method(params: number, stack: number, config: number): number;
}

type Factory = (options: {
  print(): void;
  printErr(): void;
  instantiateWasm(imports: object, receive: (instance: object, module: object) => void): object;
}) => Promise<EmulatorFunctions>;

const require = createRequire(import.meta.url);
// Not the package's index, which comes with a debugger and more.
const FACTORY = '@ton/sandbox/dist/executor/emulator-emscripten.js';
const STACK_BYTES = 4 * 2 ** 20;

/** Compiles the emulator of @ton/sandbox: 0.2 s, so do it once for all threads. */
export function compileEmulator(): Promise<object> {
  const packed = require('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js');
  return WebAssembly.compile(Buffer.from(packed.EmulatorEmscriptenWasm, 'base64'));
}

/** A fresh instance of the compiled emulator: 20 ms. */
async function instantiateEmulator(
  module: object,
): Promise<{ functions: EmulatorFunctions; memory: WasmMemory }> {
  const factory: Factory = require(FACTORY);
  let memory: WasmMemory | undefined;
  let setStackTop: ((address: number) => void) | undefined;
  const functions = await factory({
    print() {},
    printErr() {},
    instantiateWasm(imports, receive) {
      const { exports } = new WebAssembly.Instance(module, imports);
      memory = Object.values(exports).find((part) => part instanceof WebAssembly.Memory);
      setStackTop = exports[stackSetterName()] as typeof setStackTop;
      receive({ exports: withQuickTable(exports) }, module);
      return {};
    },
  });
  if (memory === undefined || setStackTop === undefined) throw new Error('not the emulator that is known');
  // The stack grows down, from an address that is a multiple of 16: the emulator aborts over any other.
  setStackTop((functions._malloc(STACK_BYTES) + STACK_BYTES) & ~15);
  return { functions, memory };
}

/**
 * The emulator was built with a stack of 64 KiB, which a result of a few hundred nested tuples overflows: the list of
 * those who take part in an election is one. It gets another stack by the function with which C++ exceptions unwind
 * it; exports have short names, but the code of the package tells which is which.
 */
function stackSetterName(): string {
  const source = readFileSync(require.resolve(FACTORY), 'utf8');
  const found = /\b__emscripten_stack_restore=wasmExports\["(\w+)"\]/.exec(source);
  if (found === null) throw new Error('not the emulator that is known');
  return found[1]!;
}

/**
 * Every C++ call that may throw goes through JavaScript, which asks the table for the function each time; to remember
 * the answers makes small get-methods a quarter faster. The table never changes.
 */
function withQuickTable(exports: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const quick = { ...exports };
  for (const [name, table] of Object.entries(exports)) {
    if (!(table instanceof WebAssembly.Table)) continue;
    const known: unknown[] = [];
    quick[name] = { get: (index: number) => (known[index] ??= table.get(index)) };
  }
  return quick;
}

/** The instance threw or aborted: what it holds cannot be trusted any more. */
export class EmulatorBroken extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'EmulatorBroken';
  }
}

/** What the emulator says: an output, or why there is none. */
type EmulatorAnswer =
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

/** An emulator of transactions; it keeps what it was told last. */
export interface HeldEmulator {
  readonly address: number;
  /** Keys of the libraries and previous blocks that it holds; empty for none. */
  libraries: string;
  prevBlocks: string;
}

/** A parsed configuration of the mainnet takes a few megabytes. */
const MAX_HELD = 4;

/** The emulators of transactions in one instance, one for each configuration and verbosity. */
export class TransactionEmulators {
  readonly #emulator: Emulator;
  readonly #held = new Map<string, HeldEmulator>();

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  /** The one for a configuration; undefined if that cannot be read. */
  get(configKey: string, verbosity: number, configText: () => string): HeldEmulator | undefined {
    const name = `${configKey} ${verbosity}`;
    let held = this.#held.get(name);
    if (held === undefined) {
      const address = this.#emulator.createTransactionEmulator(configText(), verbosity);
      if (address === 0) return undefined;
      held = { address, libraries: '', prevBlocks: '' };
    } else this.#held.delete(name);
    // The last used one comes last.
    this.#held.set(name, held);
    for (const [oldName, old] of this.#held) {
      if (this.#held.size <= MAX_HELD) break;
      this.#held.delete(oldName);
      this.#emulator.destroyTransactionEmulator(old.address);
    }
    return held;
  }

  /** Takes out one that the instance has destroyed by itself. */
  lost(gone: HeldEmulator): void {
    for (const [name, held] of this.#held) if (held === gone) this.#held.delete(name);
  }
}
