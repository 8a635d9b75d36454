/** The used part of WebAssembly, which is missing in the types of Node. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
};

/** Sections of a module. */
export const SECTIONS = {
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  export: 7,
  start: 8,
  code: 10,
  data: 11,
} as const;

/** Kinds of imports and exports. */
export const KINDS = { function: 0, table: 1, memory: 2, tag: 4 } as const;

/** Of types: the result, `v` for none, and the parameters. */
export const TYPES = { i: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c } as const;
export type Letters = readonly [keyof typeof TYPES | 'v', ...(keyof typeof TYPES)[]];

const END = 0x0b;

/** Starts a module that is made of sections; its imports are named `js`. */
export function instantiate(bytes: Uint8Array, js: object = {}) {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { js });
}

export function writeModule(sections: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]);
}

export function writeType(signature: string): number[] {
  const [result, ...parameters] = [...signature] as unknown as Letters;
  const results = result === 'v' ? [] : [[TYPES[result]]];
  return [0x60, ...vector(parameters.map((letter) => [TYPES[letter]])), ...vector(results)];
}

export function importOf(name: string, kind: number, type: readonly number[]): number[] {
  return [...text('js'), ...text(name), kind, ...type];
}

/** A function: its local variables, as numbers of variables with their type, and its code. */
export function body(locals: readonly (readonly number[])[], code: readonly number[]): number[] {
  const content = [...vector(locals), ...code, END];
  return [...unsigned(content.length), ...content];
}

export function section(id: number, entries: readonly (readonly number[])[]): number[] {
  const content = vector(entries);
  return [id, ...unsigned(content.length), ...content];
}

function vector(entries: readonly (readonly number[])[]): number[] {
  return [...unsigned(entries.length), ...entries.flat()];
}

export function text(value: string): number[] {
  return [value.length, ...Buffer.from(value, 'latin1')];
}

/** LEB128. */
export function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128 of a number that is not negative. */
export function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
