import { expect, it } from 'vitest';
import { cursorAfter, formatCursor, indexOf, isAfter, parseCursor } from '../../src/streaming/cursor.ts';

it('reads what it writes, also with the number of an event below finalized', () => {
  const cursor = { blocks: { seqno: 50_000_000, index: indexOf(2, 12) }, traces: { seqno: 7, index: 0 } };
  const text = formatCursor(cursor, '0123abcd');
  expect(parseCursor(text)).toEqual({ cursor, network: '0123abcd' });
  expect(parseCursor(`${text}~17`)).toEqual({ cursor, network: '0123abcd' });
  expect(parseCursor(`${text}-89abcdef`)).toEqual({ cursor, network: '0123abcd', mark: '89abcdef' });
});

it.each([
  '',
  '1',
  '1-2',
  '1-2.3-4',
  '1-2.3-4.xyz',
  '1-2.3-4.01234567-xyz',
  '99999999999-0.1-0.00000000',
  '3000000000-0.1-0.00000000',
])('refuses %j', (text) => {
  expect(parseCursor(text)).toBeUndefined();
});

it('orders events of a seqno by kind, then by rank, and the end of a seqno behind all of them', () => {
  const places = [
    { seqno: 1, index: indexOf(2, 5) },
    { seqno: 2, index: indexOf(0, 0) },
    { seqno: 2, index: indexOf(0, 9) },
    { seqno: 2, index: indexOf(1, 0) },
    cursorAfter(2).blocks,
    { seqno: 3, index: indexOf(0, 0) },
  ];
  for (let at = 1; at < places.length; at++) {
    expect(isAfter(places[at]!, places[at - 1]!)).toBe(true);
    expect(isAfter(places[at - 1]!, places[at]!)).toBe(false);
  }
});
