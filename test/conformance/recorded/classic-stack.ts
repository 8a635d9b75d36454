import { Cell } from '@ton/core';
import type { Json } from './recorded-files.ts';

/** A typed result of a get-method in the classic form: numbers in hex, cells and slices with their cell object. */
export function classicResult(result: Json): Json {
  return { ...result, stack: result.stack.map(classicEntry) };
}

function classicEntry(entry: Json): Json {
  switch (entry['@type']) {
    case 'tvm.stackEntryNumber':
      return ['num', hex(BigInt(entry.number.number))];
    case 'tvm.stackEntryCell':
      return ['cell', cellWithObject(entry.cell.bytes)];
    case 'tvm.stackEntrySlice':
      return ['cell', cellWithObject(entry.slice.bytes)];
    case 'tvm.stackEntryTuple':
      return ['tuple', entry.tuple];
    case 'tvm.stackEntryList':
      return ['list', entry.list];
    default:
      return ['unsupported', ''];
  }
}

function hex(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

/** A cell as results of get-methods show it. */
export function cellWithObject(bytes: string): Json {
  return { bytes, object: cellObject(Cell.fromBase64(bytes)) };
}

function cellObject(cell: Cell): Json {
  return {
    data: { b64: dataWithCompletion(cell).toString('base64'), len: cell.bits.length },
    refs: cell.refs.map(cellObject),
    special: cell.isExotic,
  };
}

/** The data bytes; in the last one a bit that ends the data, where it is not full. */
function dataWithCompletion({ bits }: Cell): Buffer {
  const text = [...Array(bits.length).keys()].map((i) => (bits.at(i) ? '1' : '0')).join('');
  const padded = text.length % 8 === 0 ? text : `${text}1`.padEnd(Math.ceil(text.length / 8) * 8, '0');
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
