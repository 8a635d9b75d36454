import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';
import { withoutDebugLog } from './debug-log.ts';
import { type WasmImports, type WasmTable, withDirectCalls } from './direct-calls.ts';

/** The used part of WebAssembly, which is missing in the types of Node. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new () => WasmMemory;
  readonly Table: new () => WasmTable;
};

/** The memory of an instance. It has a new buffer after it has grown. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The functions of an instance. Strings are passed as addresses of zero-terminated strings. */
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
  instantiateWasm(imports: WasmImports, receive: (instance: object, module: object) => void): object;
}) => Promise<EmulatorFunctions>;

const require = createRequire(import.meta.url);
// Not the package's index, which loads a debugger and more.
const FACTORY = '@ton/sandbox/dist/executor/emulator-emscripten.js';
const STACK_BYTES = 4 * 2 ** 20;

/** Compiles the emulator of @ton/sandbox. It takes 0.2 s, so do it once for all threads. */
export function compileEmulator(): Promise<object> {
  const packed = require('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js');
  return WebAssembly.compile(withoutDebugLog(Buffer.from(packed.EmulatorEmscriptenWasm, 'base64')));
}

/** Creates an instance of the compiled emulator, in 20 ms. */
async function instantiateEmulator(
  module: object,
): Promise<{ functions: EmulatorFunctions; memory: WasmMemory }> {
  const factory: Factory = require(FACTORY);
  const source = readFileSync(require.resolve(FACTORY), 'utf8');
  let memory: WasmMemory | undefined;
  let setStackTop: ((address: number) => void) | undefined;
  const functions = await factory({
    print() {},
    printErr() {},
    instantiateWasm(given, receive) {
      const { imports, connect } = withDirectCalls(given);
      const { exports } = new WebAssembly.Instance(module, imports);
      const named = (name: string): unknown => exports[exportName(source, name)];
      memory = Object.values(exports).find((part) => part instanceof WebAssembly.Memory);
      setStackTop = named('__emscripten_stack_restore') as typeof setStackTop;
      connect({
        memory,
        table: Object.values(exports).find((part) => part instanceof WebAssembly.Table),
        getStack: named('_emscripten_stack_get_current'),
        setStack: setStackTop,
        setThrown: named('_setThrew'),
      });
      receive({ exports }, module);
      return {};
    },
  });
  if (memory === undefined || setStackTop === undefined) throw new Error('unknown build of the emulator');
  // The emulator was built with a stack of 64 KiB, which a result of a few hundred nested tuples overflows, such as the
  // list of participants of an election. It gets another one through the function that unwinds it on C++ exceptions.
  // It grows down from an address that must be a multiple of 16.
  setStackTop((functions._malloc(STACK_BYTES) + STACK_BYTES) & ~15);
  return { functions, memory };
}

/** Exports have short names, which are found in the code of the package. */
function exportName(source: string, name: string): string {
  const result = new RegExp(`\\b${name}=wasmExports\\["(\\w+)"\\]`).exec(source);
  if (result === null) throw new Error('unknown build of the emulator');
  return result[1]!;
}

/** The instance threw or aborted: its state cannot be trusted any more. */
export class EmulatorBroken extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'EmulatorBroken';
  }
}

/** An output of the emulator, or its error. */
type EmulatorResult =
  | { readonly output: Readonly<Record<string, unknown>>; readonly failure?: undefined }
  | { readonly output?: undefined; readonly failure: string };

/** One instance of the emulator, called with strings and numbers. */
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

  callJson(
    name: '_run_get_method' | '_emulate_with_emulator',
    ...args: readonly (string | number)[]
  ): EmulatorResult {
    const text = this.#takeString(this.#call(name, args));
    try {
      const result = JSON.parse(text);
      return 'output' in result ? result : { failure: String(result.message) };
    } catch (error) {
      throw new EmulatorBroken('output is not JSON', error);
    }
  }

  /** Creates a transaction emulator, which keeps its config; 0 if the config cannot be read. */
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

  #takeString(address: number): string {
    const bytes = this.#heap();
    const text = bytes.toString('utf8', address, bytes.indexOf(0, address));
    this.#functions._free(address);
    return text;
  }

  #heap(): Buffer {
    if (this.#bytes.buffer !== this.#memory.buffer) this.#bytes = Buffer.from(this.#memory.buffer);
    return this.#bytes;
  }
}

/** A transaction emulator, which keeps its last inputs. */
export interface HeldEmulator {
  readonly address: number;
  /** Keys of its libraries and previous blocks; empty for none. */
  libraries: string;
  prevBlocks: string;
}

/** A parsed mainnet config takes a few megabytes. */
const MAX_HELD = 4;

/** The transaction emulators of one instance, one per config and verbosity. */
export class TransactionEmulators {
  readonly #emulator: Emulator;
  readonly #held = new LRUCache<string, HeldEmulator>({
    max: MAX_HELD,
    dispose: ({ address }, _name, reason) => {
      // The instance has destroyed a deleted one by itself.
      if (reason === 'evict') this.#emulator.destroyTransactionEmulator(address);
    },
  });

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  /** The emulator for a config; undefined if the config cannot be read. */
  get(configKey: string, verbosity: number, configText: () => string): HeldEmulator | undefined {
    const name = `${configKey} ${verbosity}`;
    const cached = this.#held.get(name);
    if (cached !== undefined) return cached;
    const address = this.#emulator.createTransactionEmulator(configText(), verbosity);
    if (address === 0) return undefined;
    const held = { address, libraries: '', prevBlocks: '' };
    this.#held.set(name, held);
    return held;
  }

  lost(gone: HeldEmulator): void {
    for (const [name, held] of this.#held.entries()) if (held === gone) this.#held.delete(name);
  }
}
