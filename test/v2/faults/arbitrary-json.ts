import { Address, beginCell, external, storeMessage } from '@ton/core';
import fc from 'fast-check';
import { arbitraryCell } from '../../chain/support/arbitrary-cells.ts';

const WALLET = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

/** Spellings of numbers. */
const numberText = fc.oneof(
  fc.integer().map(String),
  fc.integer({ min: 0, max: 50 }).map(String),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('0', '-0', '-1', '1e999', '1E2', '0.0', '2147483648', '9223372036854775808'),
  fc.constantFrom(`1${'0'.repeat(300)}`, '1e-7', '65537', '85143', '4294967295', '-9223372036854775808'),
);

/** Bags of cells of every kind, and external messages with such a cell inside. */
const bagText = fc
  .oneof(
    arbitraryCell,
    arbitraryCell.map((body) =>
      beginCell()
        .store(storeMessage(external({ to: Address.parse(WALLET), body }), { forceRef: true }))
        .endCell(),
    ),
  )
  .map((cell) => cell.toBoc().toString('base64'));

/** Spellings of strings, many of them almost valid. */
export const arbitraryText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  numberText,
  bagText,
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFx-:'), maxLength: 70 }),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0:${Buffer.from(bytes).toString('hex')}`),
  fc.constantFrom(
    '',
    ' ',
    'null',
    'true',
    'seqno',
    'get_wallet_data',
    WALLET,
    `-1:${'3'.repeat(64)}`,
    '-7:0',
  ),
  fc.constantFrom('te6cckEBAQEAAgAAAEysuc0=', '\0', '\ud800', '%', 'x'.repeat(3000)),
);

/** Member names: known ones, ones with a meaning in JavaScript, and arbitrary ones. */
export const arbitraryName = fc.oneof(
  fc.constantFrom('@type', 'bytes', 'elements', 'number', 'cell', 'slice', 'tuple', 'list', 'data', 'refs'),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'special', 'object', 'b64', 'len'),
  fc.string(),
);

const classicType = fc.constantFrom('num', 'int', 'cell', 'slice', 'tvm.Cell', 'tvm.Slice', 'tuple', 'list');
const typedType = fc.constantFrom('Number', 'Cell', 'Slice', 'Tuple', 'List', 'Unsupported');
const quoted = (value: string) => JSON.stringify(value);

/** JSON as text, so that it can have numbers that do not fit a double. */
export const { json: arbitraryJson } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    arbitraryText.map(quoted),
    numberText,
    fc.constantFrom('null', 'true', 'false', '{}', '[]'),
    fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc.array(fc.tuple(arbitraryName, tie('json')), { maxLength: 3 }).map(objectText),
    fc.tuple(classicType, tie('json')).map(([type, value]) => `[["${type}",${value}]]`),
    fc.tuple(classicType, bagText).map(([type, boc]) => `[["${type}","${boc}"]]`),
    fc.tuple(classicType, bagText).map(([type, boc]) => `[["${type}",{"bytes":"${boc}"}]]`),
    fc.tuple(typedType, fc.oneof(tie('json'), bagText.map(quoted))).map(typedEntry),
  ),
}));

function typedEntry([type, value]: readonly [string, string]): string {
  const member = type.toLowerCase();
  const inner = `{"@type":"tvm.${member}","bytes":${value},"elements":${value}}`;
  return `[{"@type":"tvm.stackEntry${type}","${member}":${inner}}]`;
}

/** An object as JSON text. */
export function objectText(members: readonly (readonly [name: string, value: string])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
