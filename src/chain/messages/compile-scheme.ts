import type { Slice } from '../boc/slice.ts';
import type { DecodeRun } from './decode-run.ts';
import {
  type Condition,
  type Constraint,
  type Expression,
  type Field,
  isExpression,
  type Layout,
  type MessageConstructor,
  type Parameter,
  type RecordItem,
  type Scheme,
  type TypeConstructor,
  usedNames,
} from './notation.ts';
import {
  addressReader,
  amountReader,
  bitsOfReader,
  bitsReader,
  childOf,
  dictionaryReader,
  type Environment,
  hasBits,
  intReader,
  NO_NUMBERS,
  type Reader,
  readBit,
  readBool,
  readSnakeText,
  treeReader,
  uintReader,
  varUintReader,
} from './value-readers.ts';

/** The readers of a scheme, each compiled on first use. */
export type CompiledScheme = Readonly<ReturnType<typeof compileScheme>>;

interface CompiledForm {
  readonly tag: number;
  readonly tagBits: number;
  readonly accepts: (numbers: Environment) => boolean;
  readonly read: Reader;
}

export function compileScheme(scheme: Scheme, parts: Omit<LayoutHooks, 'type'>) {
  const messageReaders = new Map<number, readonly Reader[]>();
  const typeReaders = new Map<string, Reader>();
  const { compileRecord } = createLayoutCompiler({ ...parts, type: typeReader });

  function messages(opcode: number): readonly Reader[] {
    let readers = messageReaders.get(opcode);
    if (readers === undefined) {
      readers = (scheme.messages.get(opcode) ?? []).map(messageReader);
      // Only known opcodes are cached: others would fill the memory.
      if (readers.length > 0) messageReaders.set(opcode, readers);
    }
    return readers;
  }

  function messageReader({ name, parts }: MessageConstructor): Reader {
    const used = usedNames(parts);
    const read = compileRecord(name, parts, { used, places: new Map(), layouts: new Map() });
    return used.size === 0 ? read : (run, slice) => read(run, slice, []);
  }

  function typeReader(name: string, layouts: readonly Layout[]): Reader {
    const key = layouts.length === 0 ? name : name + JSON.stringify(layouts);
    let reader = typeReaders.get(key);
    if (reader === undefined) {
      reader = createTypeReader(name, layouts);
      typeReaders.set(key, reader);
    }
    return reader;
  }

  /** Types may be recursive, so each is compiled on first use. */
  function createTypeReader(name: string, layouts: readonly Layout[]): Reader {
    const constructors = scheme.types.get(name);
    if (constructors === undefined) throw new Error(`unknown type "${name}"`);
    let forms: readonly CompiledForm[] | undefined;
    return (run, slice, numbers) => {
      forms ??= constructors.map((one) => compileForm(one, layouts));
      let chosen: CompiledForm | undefined;
      for (const form of forms) {
        if (!form.accepts(numbers)) continue;
        // A constructor without a tag applies if no tag matches.
        if (form.tagBits === 0) chosen ??= form;
        else if (hasBits(slice, form.tagBits) && slice.peek(form.tagBits) === form.tag) {
          chosen = form;
          break;
        }
      }
      if (chosen === undefined || !run.enter()) return undefined;
      slice.skip(chosen.tagBits);
      const json = chosen.read(run, slice, numbers);
      run.leave();
      return json;
    };
  }

  function compileForm(form: TypeConstructor, given: readonly Layout[]): CompiledForm {
    const { name, parameters, tag, tagBits, parts } = form;
    const numeric = parameters.filter((parameter) => parameter.kind !== 'layout');
    const layoutNames = parameters.flatMap((one) => (one.kind === 'layout' ? [one.name] : []));
    const places = new Map(numeric.map((one, i) => [one.kind === 'name' ? one.name : `#${i}`, i]));
    const layouts = new Map(layoutNames.map((layoutName, i) => [layoutName, given[i]!]));
    const used = usedNames(parts);
    const read = compileRecord(name, parts, { used, places, layouts });
    const added = numeric.map((one) => (one.kind === 'name' ? one.added : 0));
    return {
      tag,
      tagBits,
      accepts: (numbers) => numeric.every((parameter, i) => acceptsNumber(parameter, numbers[i]!)),
      read:
        used.size === 0
          ? (run, slice) => read(run, slice, NO_NUMBERS)
          : (run, slice, numbers) =>
              read(
                run,
                slice,
                added.map((more, i) => numbers[i]! - more),
              ),
    };
  }

  return {
    /** The readers of bodies with an opcode, for the bits after it, in the order they are tried. */
    messages,
    /** The reader of a named type without layout parameters; its numbers are the environment. */
    type: (name: string) => typeReader(name, []),
  };
}

function acceptsNumber(parameter: Exclude<Parameter, { kind: 'layout' }>, number: number): boolean {
  return parameter.kind === 'number' ? number === parameter.value : number >= parameter.added;
}

/** Readers that layouts need but do not define. */
interface LayoutHooks {
  /** The rest of a slice as JSON: a decoded body, or a bag of cells. */
  readonly rest: (run: DecodeRun, slice: Slice) => string;
  /** The same for a referenced cell, which may be exotic. */
  readonly cell: (run: DecodeRun, slice: Slice, cell: number) => string;
  readonly text: (run: DecodeRun, text: string) => string;
  /** The reader of a named type with layout arguments. */
  readonly type: (name: string, layouts: readonly Layout[]) => Reader;
}

/** Marks an item of a record that is not shown. */
const NOT_SHOWN = '';
const NOTHING_FROM_MAYBE = '{"@type":"nothing_from_maybe"}';

function createLayoutCompiler(hooks: LayoutHooks) {
  function compile(layout: Layout, scope: Scope): Reader {
    switch (layout.kind) {
      case 'uint':
        return uintReader(layout.bits);
      case 'int':
        return intReader(layout.bits);
      case 'bits':
        return bitsReader(layout.bits);
      case 'bitsOf':
        return bitsOfReader(compileExpression(layout.length, scope));
      case 'varUint':
        return varUintReader(layout.lengthBits);
      case 'amount':
        return amountReader(layout.name);
      case 'bool':
        return readBool;
      case 'bit':
        return readBit;
      case 'never':
        return () => undefined;
      case 'rest':
        return hooks.rest;
      case 'snake':
        return readText;
      case 'address':
        return addressReader(layout.allowed);
      case 'ref':
        return layout.of.kind === 'rest' ? readCell : refReader(compile(layout.of, scope));
      case 'maybe':
        return maybeReader(compile(layout.of, scope));
      case 'either':
        return eitherReader(compile(layout.left, scope), compile(layout.right, scope));
      case 'dict':
        return dictionaryReader(layout.keyBits, compile(layout.value, scope));
      case 'tree':
        return treeReader(layout.keyBits, compile(layout.value, scope));
      case 'record':
        return compileRecord(undefined, layout.parts, scope);
      case 'named':
        return compileNamed(layout, scope);
    }
  }

  /** Compiles a record, whose JSON starts with `@type` if it has a name. */
  function compileRecord(name: string | undefined, parts: readonly RecordItem[], scope: Scope): Reader {
    const keys = parts.map((part) => (part.kind === 'field' ? `"${part.name}":` : ''));
    const readers = parts.map((part) => compilePart(part, scope));
    const open = name === undefined ? '{' : `{"@type":"${name}"`;
    const steps = parts.length + 1;
    return (run, slice, env) => {
      run.spend(steps);
      let json = open;
      let separator = name === undefined ? '' : ',';
      for (let i = 0; i < readers.length; i++) {
        const value = readers[i]!(run, slice, env);
        if (value === undefined) return undefined;
        if (value === NOT_SHOWN) continue;
        json += separator + keys[i] + value;
        separator = ',';
      }
      return `${json}}`;
    };
  }

  function compilePart(part: RecordItem, scope: Scope): Reader {
    if (part.kind === 'constraint') {
      const holds = compileConstraint(part, scope);
      return (_run, _slice, env) => (holds(env) ? NOT_SHOWN : undefined);
    }
    const read = compileField(part, scope);
    if (part.when === undefined) return read;
    const isThere = compileCondition(part.when, scope);
    return (run, slice, env) => (isThere(env) ? read(run, slice, env) : NOT_SHOWN);
  }

  /** Numbers that other items depend on are stored in the environment. */
  function compileField({ name, layout }: Field, scope: Scope): Reader {
    if (!scope.used.has(name)) return compile(layout, scope);
    if (layout.kind !== 'uint' || layout.bits > 32)
      throw new Error(`"${name}" is not a number of at most 32 bits`);
    const place = scope.places.size;
    scope.places.set(name, place);
    const { bits } = layout;
    return (_run, slice, env) => {
      if (!hasBits(slice, bits)) return undefined;
      env[place] = slice.uint(bits);
      return `"${env[place]}"`;
    };
  }

  function compileNamed(layout: Layout & { kind: 'named' }, scope: Scope): Reader {
    const given = scope.layouts.get(layout.name);
    if (given !== undefined) return compile(given, scope);
    const numbers = layout.arguments.filter(isExpression).map((one) => compileExpression(one, scope));
    const read = hooks.type(
      layout.name,
      layout.arguments.filter((argument) => !isExpression(argument)),
    );
    if (numbers.length === 0) return read;
    return (run, slice, env) => read(run, slice, numbersFor(numbers, env));
  }

  const readText: Reader = (run, slice) => {
    const text = readSnakeText(run, slice);
    return text === undefined ? undefined : hooks.text(run, text);
  };

  const readCell: Reader = (run, slice) =>
    slice.refsLeft === 0 ? undefined : hooks.cell(run, slice, slice.ref());

  return { compileRecord };
}

function numbersFor(numbers: readonly ((env: Environment) => number)[], env: Environment): Environment {
  return numbers.map((number) => number(env));
}

function refReader(read: Reader): Reader {
  return (run, slice, env) => {
    const child = childOf(slice);
    return child && read(run, child, env);
  };
}

function maybeReader(read: Reader): Reader {
  return (run, slice, env) => {
    if (!hasBits(slice, 1)) return undefined;
    if (slice.uint(1) === 0) return NOTHING_FROM_MAYBE;
    const value = read(run, slice, env);
    return value && `{"@type":"something_from_maybe","value":${value}}`;
  };
}

function eitherReader(left: Reader, right: Reader): Reader {
  return (run, slice, env) => {
    if (!hasBits(slice, 1)) return undefined;
    const isRight = slice.uint(1) === 1;
    const value = (isRight ? right : left)(run, slice, env);
    return value && `{"@type":"${isRight ? 'second' : 'first'}_from_either","value":${value}}`;
  };
}

interface Scope {
  /** Numbers that other items depend on. */
  readonly used: ReadonlySet<string>;
  /** The index of each number in the environment. */
  readonly places: Map<string, number>;
  readonly layouts: ReadonlyMap<string, Layout>;
}

function compileExpression(expression: Expression, scope: Scope): (env: Environment) => number {
  if (expression.kind === 'number') {
    const { value } = expression;
    return () => value;
  }
  if (expression.kind === 'name') {
    const place = placeOf(expression.name, scope);
    return (env) => env[place]!;
  }
  const left = compileExpression(expression.left, scope);
  const right = compileExpression(expression.right, scope);
  return expression.kind === 'sum' ? (env) => left(env) + right(env) : (env) => left(env) * right(env);
}

function compileCondition({ name, bit }: Condition, scope: Scope): (env: Environment) => boolean {
  const place = placeOf(name, scope);
  if (bit === undefined) return (env) => env[place] !== 0;
  return (env) => ((env[place]! >> bit) & 1) === 1;
}

function compileConstraint(constraint: Constraint, scope: Scope): (env: Environment) => boolean {
  const left = compileExpression(constraint.left, scope);
  const right = compileExpression(constraint.right, scope);
  if (constraint.order === '=') return (env) => left(env) === right(env);
  return constraint.order === '<=' ? (env) => left(env) <= right(env) : (env) => left(env) >= right(env);
}

function placeOf(name: string, { places }: Scope): number {
  const place = places.get(name);
  if (place === undefined) throw new Error(`"${name}" is used before it is read`);
  return place;
}
