import type { RecordPart } from './layout.ts';
import { parseFields } from './parse-layout.ts';

/** A body that begins with an opcode. */
export interface MessageConstructor {
  readonly name: string;
  readonly opcode: number;
  /** Of bodies with one opcode, those of a lower group are tried first. */
  readonly group: number;
  readonly parts: readonly RecordPart[];
}

/** What a parameter of a constructor must be: a number, any number, or a number with some added; or a layout. */
export type Parameter =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string; readonly added: number }
  | { readonly kind: 'layout'; readonly name: string };

/** One of the forms of a named type. */
export interface TypeConstructor {
  /** Undefined where nothing is said of it in JSON. */
  readonly name: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly tag: number;
  /** None where there is no tag. */
  readonly tagBits: number;
  readonly parts: readonly RecordPart[];
}

/** Everything that is known of bodies. */
export interface Scheme {
  /** By opcode, in the order in which they are tried. */
  readonly messages: ReadonlyMap<number, readonly MessageConstructor[]>;
  readonly types: ReadonlyMap<string, readonly TypeConstructor[]>;
}

const MESSAGE_HEAD = /^(\d+) ([0-9a-f]{8}) (\S+)$/;
const TYPE_HEAD = /^(\w+)(?:<([^>]+)>)? (\w+)(?: (\$[01]+|#[0-9a-f]+))?$/;
const PARAMETER = /^(?:(\d+)|([a-z])(?:\+(\d+))?|([A-Z]))$/;
const HEAD_END = ' = ';

/**
 * Reads tables of constructors. An entry ends with a semicolon. A message is `group opcode name = fields`, a form of a
 * type is `Type<parameters> constructor tag = fields`; parameters, tag and fields may be missing, and a constructor
 * called `_` has no name.
 */
export function parseScheme(texts: readonly string[]): Scheme {
  const messages = new Map<number, MessageConstructor[]>();
  const types = new Map<string, TypeConstructor[]>();
  for (const entry of texts.flatMap((text) => text.split(';'))) {
    const line = entry.trim();
    if (line === '') continue;
    const end = line.indexOf(HEAD_END);
    const head = end === -1 ? line : line.slice(0, end);
    const parts = parseFields(end === -1 ? '' : line.slice(end + HEAD_END.length));
    const [, group, opcode, name] = MESSAGE_HEAD.exec(head) ?? [];
    if (opcode !== undefined)
      add(messages, Number.parseInt(opcode, 16), {
        name: name!,
        opcode: Number.parseInt(opcode, 16),
        group: Number(group),
        parts,
      });
    else add(types, ...parseType(head, parts));
  }
  for (const list of messages.values()) list.sort((one, other) => one.group - other.group);
  return { messages, types };
}

function parseType(head: string, parts: readonly RecordPart[]): [string, TypeConstructor] {
  const [, type, parameters, name, tag] = TYPE_HEAD.exec(head) ?? [];
  if (type === undefined) throw new Error(`neither a message nor a type: "${head}"`);
  const form = {
    name: name === '_' ? undefined : name,
    parameters: (parameters?.split(',') ?? []).map((text) => parseParameter(text.trim())),
    ...parseTag(tag),
    parts,
  };
  return [type, form];
}

function parseParameter(text: string): Parameter {
  const [, value, name, added, layout] = PARAMETER.exec(text) ?? [];
  if (value !== undefined) return { kind: 'number', value: Number(value) };
  if (name !== undefined) return { kind: 'name', name, added: Number(added ?? 0) };
  if (layout !== undefined) return { kind: 'layout', name: layout };
  throw new Error(`no parameter: "${text}"`);
}

/** `$` is followed by bits, `#` by hex digits. */
function parseTag(text = '$'): { tag: number; tagBits: number } {
  const [radix, width] = text.startsWith('$') ? [2, 1] : [16, 4];
  const digits = text.slice(1);
  return { tag: digits === '' ? 0 : Number.parseInt(digits, radix), tagBits: digits.length * width };
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
