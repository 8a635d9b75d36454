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

/** Compiles the emulator of @ton/sandbox: 0.2 s, so do it once for all threads. */
export function compileEmulator(): Promise<object> {
  const packed = require('@ton/sandbox/dist/executor/emulator-emscripten.wasm.js');
  return WebAssembly.compile(Buffer.from(packed.EmulatorEmscriptenWasm, 'base64'));
}

/** A fresh instance of the compiled emulator: 20 ms. */
export async function instantiateEmulator(
  module: object,
): Promise<{ functions: EmulatorFunctions; memory: WasmMemory }> {
  // Not the package's index, which comes with a debugger and more.
  const factory: Factory = require('@ton/sandbox/dist/executor/emulator-emscripten.js');
  let memory: WasmMemory | undefined;
  const functions = await factory({
    print() {},
    printErr() {},
    instantiateWasm(imports, receive) {
      const { exports } = new WebAssembly.Instance(module, imports);
      memory = Object.values(exports).find((part) => part instanceof WebAssembly.Memory);
      receive({ exports: withQuickTable(exports) }, module);
      return {};
    },
  });
  if (memory === undefined) throw new Error('the emulator has no memory');
  return { functions, memory };
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
