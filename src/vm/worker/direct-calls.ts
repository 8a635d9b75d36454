import {
  body,
  importOf,
  instantiate,
  KINDS,
  type Letters,
  SECTIONS,
  section,
  signed,
  TYPES,
  text,
  unsigned,
  writeModule,
  writeType,
} from '../../lib/wasm-module.ts';

/** The used part of WebAssembly, which is missing in the types of Node. */
declare const WebAssembly: {
  readonly Tag: new (type: { readonly parameters: readonly string[] }) => object;
  readonly Exception: new (tag: object, payload: readonly number[]) => Error;
};

export interface WasmTable {
  readonly length: number;
  set(index: number, value: unknown): void;
  grow(by: number): void;
}

/** Imports of a module, by namespace and name. */
export type WasmImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What the instance that got the imports exports. */
interface EmulatorExports {
  readonly memory: object | undefined;
  /** All functions that may be called by their place in it. It never changes. */
  readonly table: WasmTable | undefined;
  readonly getStack: unknown;
  readonly setStack: unknown;
  readonly setThrown: unknown;
}

/** With the types of the result and of the parameters of the function that is called. */
const INVOKE = /^invoke_([vijfd][ijfd]*)$/;
const THROWS = /^_*(?:cxa_throw|cxa_rethrow|resumeException)$/;
const CLOCK = '_clock_time_get';

/**
 * Each C++ call that may throw is one of a function `invoke_…` of JavaScript, which calls the function in the table and
 * catches what it throws; and each instruction reads the clock, which allocates big integers. Both took a third of the time
 * of a small get-method. This puts functions of WebAssembly in their place. `connect` is called when there is
 * an instance with these imports.
 */
export function withDirectCalls(imports: WasmImports) {
  const tag = new WebAssembly.Tag({ parameters: ['i32'] });
  const names = Object.values(imports).flatMap((part) => Object.values(part).map(nameOf));
  const signatures = names.flatMap((name) => INVOKE.exec(name)?.[1] ?? []);
  const { exports: direct } = instantiate(writeCalls(signatures), { tag });

  function replace(value: unknown): unknown {
    const name = nameOf(value);
    if (name === CLOCK) return direct[CLOCK];
    const signature = INVOKE.exec(name)?.[1];
    if (signature !== undefined) return direct[signature];
    return THROWS.test(name) ? throwTagged(value as Thrower, tag) : value;
  }

  return {
    imports: mapValues(imports, (part) => mapValues(part, replace)),
    connect({ memory, table, getStack, setStack, setThrown }: EmulatorExports): void {
      if (table === undefined) throw new Error('unknown build of the emulator');
      const [called, helpers] = [direct[CALLED] as WasmTable, direct[HELPERS] as WasmTable];
      called.grow(table.length);
      const { exports } = instantiate(writeClock(table.length), { memory, table, called, now });
      helpers.grow(HELPER_COUNT);
      for (const [i, one] of [getStack, setStack, setThrown, exports[CLOCK]].entries()) helpers.set(i, one);
    },
  };
}

function nameOf(value: unknown): string {
  return typeof value === 'function' ? value.name : '';
}

function mapValues<From, To>(from: Readonly<Record<string, From>>, map: (value: From) => To) {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, map(value)]));
}

type Thrower = (...args: number[]) => never;

/** C++ exceptions are numbers. All else that is thrown breaks the emulator, and nothing in it may catch that. */
function throwTagged(thrower: Thrower, tag: object): Thrower {
  return (...args) => {
    try {
      return thrower(...args);
    } catch (error) {
      throw typeof error === 'number' ? new WebAssembly.Exception(tag, [error]) : error;
    }
  };
}

const REALTIME = 0;

/** Nanoseconds. */
function now(clock: number): number {
  return (clock === REALTIME ? Date.now() : performance.now()) * 1e6;
}

/** The tables of the module: copies of the functions of the emulator, and what these functions need. */
const [CALLED, HELPERS] = ['called', 'helpers'];
const [CALLED_TABLE, HELPER_TABLE] = [0, 1];
const [GET_STACK, SET_STACK, SET_THROWN, READ_CLOCK, HELPER_COUNT] = [0, 1, 2, 3, 4];

const ZEROS = {
  i: [0x41, 0],
  j: [0x42, 0],
  f: [0x43, 0, 0, 0, 0],
  d: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
} as const;
const NO_TYPE = 0x40;
const CLOCK_TYPE = 'iiji';

const ANY_TABLE = [0x70, 0, 0];

/** Instructions. */
const [TRY, CATCH, END, DROP, GET, SET, I32] = [0x06, 0x07, 0x0b, 0x1a, 0x20, 0x21, 0x41] as const;
const [CALL, CALL_INDIRECT, STORE64, TRUNCATE] = [0x10, 0x11, 0x37, 0xb0] as const;
const COPY_TABLE = [0xfc, 14];

/** Gives types their numbers. */
function createTypes() {
  const types: string[] = [];
  return {
    types,
    of(signature: string): number {
      const known = types.indexOf(signature);
      return known < 0 ? types.push(signature) - 1 : known;
    },
  };
}

/** A module that exports the two tables, a function for each signature, and one that reads the clock. */
function writeCalls(signatures: readonly string[]): Uint8Array {
  const { types, of } = createTypes();
  const tag = of('vi');
  // The first parameter is the place in the table.
  const functions = signatures.map((signature) => of(`${signature[0]}i${signature.slice(1)}`));
  const bodies = signatures.map((signature) => writeInvoke(signature, of));
  functions.push(of(CLOCK_TYPE));
  const callClock = [CALL_INDIRECT, ...unsigned(of(CLOCK_TYPE)), HELPER_TABLE];
  bodies.push(body([], [GET, 0, GET, 1, GET, 2, I32, READ_CLOCK, ...callClock]));
  return writeModule([
    section(SECTIONS.type, types.map(writeType)),
    section(SECTIONS.import, [importOf('tag', KINDS.tag, [0, ...unsigned(tag)])]),
    section(SECTIONS.function, functions.map(unsigned)),
    section(SECTIONS.table, [ANY_TABLE, ANY_TABLE]),
    section(SECTIONS.export, [
      ...[...signatures, CLOCK].map((name, i) => [...text(name), KINDS.function, ...unsigned(i)]),
      [...text(CALLED), KINDS.table, CALLED_TABLE],
      [...text(HELPERS), KINDS.table, HELPER_TABLE],
    ]),
    section(SECTIONS.code, bodies),
  ]);
}

/** `try { return called[place](…) } catch { setStack(before); setThrown(1, 0); return 0 }` */
function writeInvoke(signature: string, typeOf: (signature: string) => number): number[] {
  const [result, ...parameters] = [...signature] as unknown as Letters;
  const before = parameters.length + 1;
  const call = (table: number, type: string): number[] => [CALL_INDIRECT, ...unsigned(typeOf(type)), table];
  const code = [
    ...[I32, GET_STACK, ...call(HELPER_TABLE, 'i'), SET, before],
    ...[TRY, result === 'v' ? NO_TYPE : TYPES[result]],
    ...parameters.flatMap((_, i) => [GET, i + 1]),
    ...[GET, 0, ...call(CALLED_TABLE, signature)],
    // The emulator knows what was thrown.
    ...[CATCH, 0, DROP],
    ...[GET, before, I32, SET_STACK, ...call(HELPER_TABLE, 'vi')],
    ...[I32, 1, I32, 0, I32, SET_THROWN, ...call(HELPER_TABLE, 'vii')],
    ...(result === 'v' ? [] : ZEROS[result]),
    END,
  ];
  return body([[1, TYPES.i]], code);
}

/** A module that copies the table, and exports a function that writes the time where the emulator wants it. */
function writeClock(tableLength: number): Uint8Array {
  const { types, of } = createTypes();
  const [ofNow, ofClock, ofStart] = [of('di'), of(CLOCK_TYPE), of('v')];
  const [now, readClock, start] = [0, 1, 2];
  const [from, to] = [0, 1];
  // Aligned to 8 bytes, at the address.
  const store = [STORE64, 3, 0];
  return writeModule([
    section(SECTIONS.type, types.map(writeType)),
    section(SECTIONS.import, [
      importOf('now', KINDS.function, unsigned(ofNow)),
      importOf('table', KINDS.table, ANY_TABLE),
      importOf('called', KINDS.table, ANY_TABLE),
      importOf('memory', KINDS.memory, [0, 0]),
    ]),
    section(SECTIONS.function, [ofClock, ofStart].map(unsigned)),
    section(SECTIONS.export, [[...text(CLOCK), KINDS.function, ...unsigned(readClock)]]),
    [SECTIONS.start, 1, start],
    section(SECTIONS.code, [
      body([], [GET, 2, GET, 0, CALL, now, TRUNCATE, ...store, I32, 0]),
      body([], [I32, 0, I32, 0, I32, ...signed(tableLength), ...COPY_TABLE, to, from]),
    ]),
  ]);
}
