import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALL_LAYOUTS } from '../../../src/actions/layouts.ts';
import { DEDUST_V2 } from '../../../src/actions/protocols/dedust/layouts.ts';
import { createBodyDecoder } from '../../../src/chain/messages/body-decoder.ts';
import { parseFields, parseScheme } from '../../../src/chain/messages/notation.ts';
import { isNameOnly } from './made-body.ts';

const CONTRACT = new URL('../../../../shared/spec/v3.contract.json', import.meta.url);
const missing = existsSync(CONTRACT) ? '' : ' (skipped: the reference contract is not beside this checkout)';

interface Contract {
  readonly 'x-decode': {
    readonly 'opcode-names': Readonly<Record<string, string>>;
    readonly messages: readonly {
      readonly name: string;
      readonly group: number;
      readonly layout: string;
      readonly opcode: string | null;
      readonly decodable?: false;
    }[];
    readonly types: Readonly<Record<string, readonly { name: string; tag: string; layout: string }[]>>;
  };
}

/** A layout as the contract writes it in our own notation. */
const ownNotation = (layout: string) =>
  layout
    .replace(/dict!<(\d+) → /g, 'tree<$1, ')
    .replaceAll(' → ', ', ')
    .replaceAll(' | ', ', ')
    .replace(/\[if ([\w.]+)\]/g, '[$1]')
    .replace(/require (\w+ [<>]?= \d+)/g, '{$1}')
    .replace(/b\[\((\w+) \* 8\)\]/g, 'b<$1*8>')
    .replaceAll('<(n + 1)>', '<n+1>');

describe.skipIf(missing !== '')(`the tables of the contract${missing}`, () => {
  const { 'x-decode': told }: Contract = missing
    ? { 'x-decode': undefined }
    : JSON.parse(readFileSync(CONTRACT, 'utf8'));
  // The reference does not decode DeDust v2.
  const scheme = parseScheme(ALL_LAYOUTS.filter((table) => table !== DEDUST_V2));
  const decoder = createBodyDecoder(() => scheme);

  it('have the same opcode names as ours', () => {
    const names = Object.entries(told['opcode-names']);
    expect(names.map(([opcode]) => [opcode, decoder.opcodeName(Number(opcode))])).toEqual(names);
    expect(scheme.messages.size).toBe(names.length);
  });

  it('have the same messages as ours', () => {
    // Those without an opcode are reached by nothing.
    const reachable = told.messages.filter(({ opcode }) => opcode !== null);
    for (const { name, group, layout, opcode, decodable = true } of reachable) {
      const own = scheme.messages.get(Number(opcode))!.find((one) => one.group === group)!;
      expect([own.name, isNameOnly(own)]).toEqual([name, !decodable]);
      if (decodable) expect(own.parts, name).toEqual(parseFields(ownNotation(layout)));
    }
    expect([...scheme.messages.values()].flat()).toHaveLength(reachable.length);
  });

  it('have the same types as ours', () => {
    // The placeholder needs none.
    const wanted = Object.entries(told.types).filter(([type]) => type !== 'JustRandomSalt');
    for (const [type, forms] of wanted) {
      const own = scheme.types.get(type)!;
      const tags = own.map(({ tag, tagBits }) =>
        tagBits === 0 ? '' : tag.toString(2).padStart(tagBits, '0'),
      );
      expect(own.map(({ name }) => name ?? '_')).toEqual(forms.map(({ name }) => name));
      expect(tags, type).toEqual(forms.map(({ tag }) => bitsOf(tag)));
      expect(own.map(({ parts }) => parts)).toEqual(
        forms.map(({ layout }) => parseFields(ownNotation(layout))),
      );
    }
    expect(scheme.types.size).toBe(wanted.length);
  });
});

function bitsOf(tag: string): string {
  if (/^(?:[#$]_?)?$/.test(tag)) return '';
  if (tag.startsWith('$')) return tag.slice(1);
  return [...tag.slice(1)].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
}
