import type { Slice } from '../../boc/slice.ts';
import { type Field, isExpression, type Layout, type RecordPart } from '../notation/layout.ts';
import { addressReader } from './addresses.ts';
import { bitsOfReader, bitsReader } from './bit-strings.ts';
import { childOf } from './child-of.ts';
import { dictionaryReader, treeReader } from './dictionaries.ts';
import { amountReader, hasBits, intReader, readBit, readBool, uintReader, varUintReader } from './numbers.ts';
import type { Environment, Reader, Run } from './run.ts';
import { compileCondition, compileConstraint, compileExpression, type Scope } from './scope.ts';
import { readSnakeText } from './snake-text.ts';

/** What layouts are made of that they do not describe themselves. */
export interface LayoutParts {
  /** What is left of a slice as JSON: a body, or a bag of cells. */
  readonly rest: (run: Run, slice: Slice) => string;
  /** A referenced cell in the same way, whatever it is. */
  readonly cell: (run: Run, slice: Slice, cell: number) => string;
  /** Text as JSON. */
  readonly text: (run: Run, text: string) => string;
  /** The reader of a named type, used with some layouts. */
  readonly type: (name: string, layouts: readonly Layout[]) => Reader;
}

/** Stands for a part of a record that is not shown. */
const NOT_SHOWN = '';
const NOTHING = '{"@type":"nothing_from_maybe"}';

/** Turns layouts into readers. */
export function createLayoutCompiler(known: LayoutParts) {
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
