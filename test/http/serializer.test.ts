import Type from 'typebox';
import { describe, expect, it, vi } from 'vitest';
import { compileSerializer, Int64, PlainText, RawJson, rawJson } from '../../src/http/serializer.ts';

const MOST = 2n ** 63n - 1n;

const Small = Type.Object({ '@type': Type.Literal('small'), note: PlainText() });
const Large = Type.Object({ '@type': Type.Literal('large'), amount: Int64() });
const Nested = Type.Object({
  '@type': Type.Literal('nested'),
  parts: Type.Array(Type.Union([Small, Large])),
});

describe('compileSerializer', () => {
  it('writes 64-bit numbers with all digits', () => {
    const write = compileSerializer(Type.Object({ all: Type.Array(Int64()) }));
    expect(write({ all: [0n, -1n, MOST, -MOST - 1n, 2n ** 53n + 1n] })).toBe(
      '{"all":[0,-1,9223372036854775807,-9223372036854775808,9007199254740993]}',
    );
  });

  it('copies RawJson as it is, and null if the schema allows it', () => {
    const inner = RawJson(Type.Object({ a: Type.Integer() }));
    const write = compileSerializer(
      Type.Object({ one: inner, all: Type.Array(Type.Unsafe({ ...inner, type: ['object', 'null'] })) }),
    );
    const json = '{"a":"\\u0000 \\"","b":[{}]}';
    expect(write({ one: rawJson(json), all: [null, rawJson('{}'), rawJson(json)] })).toBe(
      `{"one":${json},"all":[null,{},${json}]}`,
    );
  });

  it('chooses the branch of a union by its tag', () => {
    const write = compileSerializer(Type.Object({ one: Type.Union([Small, Large, Nested]) }));
    expect(write({ one: { '@type': 'small', note: 'a', amount: MOST } })).toBe(
      '{"one":{"@type":"small","note":"a"}}',
    );
    expect(write({ one: { '@type': 'large', amount: MOST } })).toBe(
      '{"one":{"@type":"large","amount":9223372036854775807}}',
    );
    const parts = [
      { '@type': 'large', amount: MOST },
      { '@type': 'small', note: '' },
    ];
    expect(write({ one: { '@type': 'nested', parts } })).toBe(
      '{"one":{"@type":"nested","parts":[{"@type":"large","amount":9223372036854775807},{"@type":"small","note":""}]}}',
    );
  });

  it('chooses the branch that validates if there is no tag', () => {
    const write = compileSerializer(Type.Array(Type.Union([Type.Integer(), PlainText(), Large])));
    expect(write([1, 'two'])).toBe('[1,"two"]');
  });

  it('compiles without output on the console', () => {
    const words = (['log', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
    compileSerializer(
      Type.Object({ one: Type.Union([Small, Large]), other: Type.Union([Type.Null(), PlainText()]) }),
    );
    for (const word of words) expect(word).not.toHaveBeenCalled();
  });
});
