import { describe, expect, it } from 'vitest';
import { type WasmTable, withDirectCalls } from '../../src/vm/worker/direct-calls.ts';

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Table: new (type: object) => WasmTable;
  readonly Memory: new (type: object) => { readonly buffer: ArrayBuffer };
};

/**
 * A module that exports the functions that it imports, since a table has functions of WebAssembly only: called (i32) → i32,
 * getStack () → i32, setStack (i32), setThrown (i32, i32).
 */
const REEXPORTS = Buffer.from(
  'AGFzbQEAAAABEwRgAX8Bf2AAAX9gAX8AYAJ/fwACOAQCanMGY2FsbGVkAAACanMIZ2V0U3RhY2sAAQJqcwhzZXRTdGFjawACAmpzCXNldFRocm93bgADBywEBmNhbGxlZAAACGdldFN0YWNrAAEIc2V0U3RhY2sAAglzZXRUaHJvd24AAw==',
  'base64',
);
const PLACE = 1;

/** Imports like those of the emulator, in which calls would go through JavaScript, and what they were replaced by. */
function connected(called: (value: number) => number) {
  const log: string[] = [];
  const given = {
    invoke_ii: () => expect.fail('a call through JavaScript'),
    ___cxa_throw: (exception: number) => {
      throw exception;
    },
    _clock_time_get: () => expect.fail('a clock of JavaScript'),
    _abort: () => {},
  };
  const { imports, connect } = withDirectCalls({ a: given });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(REEXPORTS), {
    js: {
      called,
      getStack: () => 64,
      setStack: (position: number) => log.push(`stack ${position}`),
      setThrown: (...values: number[]) => log.push(`thrown ${values}`),
    },
  });
  const table = new WebAssembly.Table({ element: 'anyfunc', initial: 2 });
  table.set(PLACE, exports.called);
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { getStack, setStack, setThrown } = exports;
  connect({ memory, table, getStack, setStack, setThrown });
  const replaced = imports.a as unknown as {
    readonly invoke_ii: (place: number, value: number) => number;
    readonly ___cxa_throw: (exception: number) => never;
    readonly _clock_time_get: (clock: number, precision: bigint, address: number) => number;
    readonly _abort: () => void;
  };
  return { log, memory, given, replaced };
}

describe('direct calls of the emulator', () => {
  it('return what the function in the table returns', () => {
    const { replaced, given, log } = connected((value) => value + 1);
    expect(replaced.invoke_ii(PLACE, 41)).toBe(42);
    expect(log).toEqual([]);
    expect(replaced._abort).toBe(given._abort);
  });

  it('catch C++ exceptions: the stack is as before and the exception is noted', () => {
    const { replaced, log } = connected((value) => (value === 0 ? 7 : replaced.___cxa_throw(1000 + value)));
    expect(replaced.invoke_ii(PLACE, 5)).toBe(0);
    expect(log).toEqual(['stack 64', 'thrown 1,0']);
    expect(replaced.invoke_ii(PLACE, 0)).toBe(7);
  });

  it('let all other errors through', () => {
    const { replaced, log } = connected(() => {
      throw new Error('aborted');
    });
    expect(() => replaced.invoke_ii(PLACE, 1)).toThrow('aborted');
    expect(log).toEqual([]);
    expect(() => replaced.invoke_ii(0, 1)).toThrow(/null/);
  });

  it('write the time to the memory of the emulator in nanoseconds', () => {
    const { replaced, memory } = connected(() => 0);
    const view = new DataView(memory.buffer);
    const before = Date.now();
    expect(replaced._clock_time_get(0, 1n, 24)).toBe(0);
    // The number is a double: its nanoseconds are a few hundred off.
    const real = Math.round(Number(view.getBigInt64(24, true)) / 1e6);
    expect(real).toBeGreaterThanOrEqual(before);
    expect(real).toBeLessThanOrEqual(Date.now());
    replaced._clock_time_get(1, 1n, 24);
    expect(Number(view.getBigInt64(24, true)) / 1e6).toBeLessThanOrEqual(performance.now());
  });
});
