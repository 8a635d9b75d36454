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
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The functions of an instance. Texts go in and out as addresses of strings that end in a zero. */
export interface EmulatorFunctions {
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
export async function instantiateEmulator(
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
