import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { compileSerializer, RawJson, rawJson } from '../../src/http/serializer.ts';
import { buildTraceTree, traceNodeSchema, writeTraceTree } from '../../src/v3/trace-json.ts';
import { selectShownTraces } from '../../src/v3/traces.ts';
import { hashOf } from '../db/support/filled-index.ts';

const name = (text: string) => hashOf(text).toString('base64');

/** A transaction with the names of its in message and out messages. */
const transaction = (own: string, received: string | undefined, sent: readonly string[]) => ({
  hash: hashOf(own),
  inHash: received === undefined ? undefined : hashOf(received),
  outHashes: sent.map((name) => hashOf(name)),
});

describe('buildTraceTree and writeTraceTree', () => {
  it('put each transaction below the sender of its message', () => {
    const tree = buildTraceTree([
      transaction('a', 'external', ['1', '2']),
      transaction('b', '1', []),
      transaction('c', '2', ['log']),
    ]);
    expect(tree).toEqual({
      isMissingNodes: false,
      root: {
        tx_hash: name('a'),
        in_msg_hash: name('external'),
        children: [
          { tx_hash: name('b'), in_msg_hash: name('1'), children: [] },
          { tx_hash: name('c'), in_msg_hash: name('2'), children: null },
        ],
      },
    });
  });

  it('leave out in_msg_hash at a root without a message', () => {
    expect(buildTraceTree([transaction('a', undefined, [])]).root).toEqual({
      tx_hash: name('a'),
      children: [],
    });
  });

  it('leave out transactions whose sender is missing, and report it', () => {
    const tree = buildTraceTree([
      transaction('a', 'external', ['1']),
      transaction('b', 'lost', ['2']),
      transaction('c', '2', []),
    ]);
    expect(tree.isMissingNodes).toBe(true);
    expect(tree.root).toEqual({ tx_hash: name('a'), in_msg_hash: name('external'), children: null });
  });

  it('give no root without transactions', () => {
    expect(buildTraceTree([])).toEqual({ root: undefined, isMissingNodes: false });
  });

  it('handle trees as deep as the largest trace', () => {
    const chain = Array.from({ length: 4000 }, (_, i) => transaction(`${i}`, `m${i}`, [`m${i + 1}`]));
    const json = writeTraceTree(buildTraceTree(chain).root!);
    expect(json.match(/tx_hash/g)).toHaveLength(4000);
    const schema = Type.Object({ trace: RawJson(traceNodeSchema), text: Type.String() });
    const whole = compileSerializer(schema)({ trace: rawJson(json), text: '\0"\0' });
    expect(JSON.parse(whole).text).toBe('\0"\0');
    expect(whole).toBe(`{"trace":${json},"text":"\\u0000\\"\\u0000"}`);
  });

  it('write the tree as JSON', () => {
    const { root } = buildTraceTree([
      transaction('a', 'external', ['1', '2', '3']),
      transaction('b', '1', []),
      transaction('c', '2', ['log']),
      transaction('d', '3', ['4']),
      transaction('e', '4', []),
    ]);
    expect(JSON.parse(writeTraceTree(root!))).toEqual(root);
  });
});

describe('selectShownTraces', () => {
  const sizes = (...nodes: number[]) => nodes.map((count) => ({ nodes: count }));

  it('shows traces of up to 4000 transactions', () => {
    const rows = sizes(4000, 4001, 1);
    const { shown, omitted } = selectShownTraces(rows);
    expect(shown).toEqual([rows[0], rows[2]]);
    expect(omitted.get(rows[1]!)).toBe('trace is too large');
  });

  it('shows up to 20 000 transactions in total', () => {
    const rows = sizes(4000, 4000, 4000, 4000, 3999, 2, 1);
    const { shown, omitted } = selectShownTraces(rows);
    expect(shown).toEqual(rows.filter((_, at) => at !== 5));
    expect(omitted.get(rows[5]!)).toBe('answer is too large');
  });
});
