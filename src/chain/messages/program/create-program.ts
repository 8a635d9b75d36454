import type { Layout } from '../notation/layout.ts';
import type { MessageConstructor, Parameter, Scheme, TypeConstructor } from '../notation/parse-scheme.ts';
import { usedNames } from '../notation/used-names.ts';
import { createLayoutCompiler, type LayoutParts } from './compile-layout.ts';
import { hasBits } from './numbers.ts';
import { type Environment, NO_NUMBERS, type Reader } from './run.ts';

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
