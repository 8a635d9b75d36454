import type { Slice } from '../boc/slice.ts';
import {
  type Condition,
  type Constraint,
  type Expression,
  type Field,
  isExpression,
  type Layout,
  type MessageConstructor,
  type Parameter,
  type RecordPart,
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
  type DecodeRun,
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

/** Readers of everything in a scheme, each made when it is first asked for. */
export interface Program {
  /** The readers of bodies with an opcode, for what comes after it, in the order in which they are tried. */
  readonly messages: (opcode: number) => readonly Reader[];
  /** The reader of a named type without layouts as parameters; its environment is what it is used with. */
  readonly type: (name: string) => Reader;
}

/** One form of a type, ready to be read. */
interface Form {
  readonly tag: number;
  readonly tagBits: number;
  readonly fits: (numbers: Environment) => boolean;
  readonly read: Reader;
}

/** Makes the readers of a scheme. */
export function createProgram(scheme: Scheme, parts: Omit<LayoutParts, 'type'>): Program {
  const messageReaders = new Map<number, readonly Reader[]>();
  const typeReaders = new Map<string, Reader>();
  const { compileRecord } = createLayoutCompiler({ ...parts, type: typeReader });

  function messages(opcode: number): readonly Reader[] {
    let readers = messageReaders.get(opcode);
    if (readers === undefined) {
      readers = (scheme.messages.get(opcode) ?? []).map(messageReader);
      // Only what the scheme knows is kept: there are more opcodes than fit into memory.
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

  /** Types are part of themselves, so each is compiled when it is first met. */
  function createTypeReader(name: string, layouts: readonly Layout[]): Reader {
    const constructors = scheme.types.get(name);
    if (constructors === undefined) throw new Error(`there is no type "${name}"`);
    let forms: readonly Form[] | undefined;
    return (run, slice, numbers) => {
      forms ??= constructors.map((one) => compileForm(one, layouts));
      let chosen: Form | undefined;
      for (const form of forms) {
        if (!form.fits(numbers)) continue;
        // A form without a tag is for what none of the tags fits.
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

  function compileForm(form: TypeConstructor, given: readonly Layout[]): Form {
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
      fits: (numbers) => numeric.every((parameter, i) => isFitting(parameter, numbers[i]!)),
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

  return { messages, type: (name) => typeReader(name, []) };
}

function isFitting(parameter: Exclude<Parameter, { kind: 'layout' }>, number: number): boolean {
  return parameter.kind === 'number' ? number === parameter.value : number >= parameter.added;
}

/** What layouts are made of that they do not describe themselves. */
interface LayoutParts {
  /** What is left of a slice as JSON: a body, or a bag of cells. */
  readonly rest: (run: DecodeRun, slice: Slice) => string;
  /** A referenced cell in the same way, whatever it is. */
  readonly cell: (run: DecodeRun, slice: Slice, cell: number) => string;
  /** Text as JSON. */
  readonly text: (run: DecodeRun, text: string) => string;
  /** The reader of a named type, used with some layouts. */
  readonly type: (name: string, layouts: readonly Layout[]) => Reader;
}

/** Stands for a part of a record that is not shown. */
const NOT_SHOWN = '';
const NOTHING = '{"@type":"nothing_from_maybe"}';

/** Turns layouts into readers. */
function createLayoutCompiler(known: LayoutParts) {
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
        return known.rest;
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

  /** A record, which says first what it is if it has a name. */
  function compileRecord(name: string | undefined, parts: readonly RecordPart[], scope: Scope): Reader {
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

  function compilePart(part: RecordPart, scope: Scope): Reader {
    if (part.kind === 'constraint') {
      const holds = compileConstraint(part, scope);
      return (_run, _slice, env) => (holds(env) ? NOT_SHOWN : undefined);
    }
    const read = compileField(part, scope);
    if (part.when === undefined) return read;
    const isThere = compileCondition(part.when, scope);
    return (run, slice, env) => (isThere(env) ? read(run, slice, env) : NOT_SHOWN);
  }

  /** Numbers that something depends on are kept. */
  function compileField({ name, layout }: Field, scope: Scope): Reader {
    if (!scope.used.has(name)) return compile(layout, scope);
    if (layout.kind !== 'uint' || layout.bits > 32) throw new Error(`"${name}" is not a small number`);
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
    const read = known.type(
      layout.name,
      layout.arguments.filter((argument) => !isExpression(argument)),
    );
    if (numbers.length === 0) return read;
    return (run, slice, env) => read(run, slice, numbersFor(numbers, env));
  }

  const readText: Reader = (run, slice) => {
    const text = readSnakeText(run, slice);
    return text === undefined ? undefined : known.text(run, text);
  };

  const readCell: Reader = (run, slice) =>
    slice.refsLeft === 0 ? undefined : known.cell(run, slice, slice.ref());

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
    if (slice.uint(1) === 0) return NOTHING;
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

/** What the names in a constructor stand for. */
interface Scope {
  /** Numbers that something depends on. */
  readonly used: ReadonlySet<string>;
  /** The place of each number in the environment. */
  readonly places: Map<string, number>;
  /** Layouts that the constructor was given. */
  readonly layouts: ReadonlyMap<string, Layout>;
}

/** Turns an expression into a function of the environment. */
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

/** Turns a condition into a function of the environment. */
function compileCondition({ name, bit }: Condition, scope: Scope): (env: Environment) => boolean {
  const place = placeOf(name, scope);
  if (bit === undefined) return (env) => env[place] !== 0;
  return (env) => ((env[place]! >> bit) & 1) === 1;
}

/** Turns a constraint into a function of the environment. */
function compileConstraint(constraint: Constraint, scope: Scope): (env: Environment) => boolean {
  const left = compileExpression(constraint.left, scope);
  const right = compileExpression(constraint.right, scope);
  if (constraint.order === '=') return (env) => left(env) === right(env);
  return constraint.order === '<=' ? (env) => left(env) <= right(env) : (env) => left(env) >= right(env);
}

function placeOf(name: string, { places }: Scope): number {
  const place = places.get(name);
  if (place === undefined) throw new Error(`"${name}" is not known yet where it is used`);
  return place;
}
