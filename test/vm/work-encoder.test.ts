import { describe, expect, it } from 'vitest';
import { encodeGetMethod } from '../../src/vm/runs.ts';
import { type SharedBoc, shareBoc } from '../../src/vm/shared-inputs.ts';
import type { WorkMessage } from '../../src/vm/work-encoder.ts';
import { createWorkEncoder } from '../../src/vm/work-encoder.ts';
import { codeRun } from './built-data.ts';

const NO_LIMITS = { maxRuns: 1_000_000, maxMemoryBytes: 1_000_000 };
const run = encodeGetMethod(codeRun(''));

describe('work encoder', () => {
  it('sends each shared bag of cells once, and lets the thread forget old ones', () => {
    const encoder = createWorkEncoder(NO_LIMITS);
    const texts = Array.from({ length: 100 }, (_, i) => shareBoc(Buffer.from(`bag ${i}`)));
    const known = new Set<string>();
    /** The keys that the thread holds after a job that uses some. */
    const held = (use: SharedBoc[]): string[] => {
      const [message] = encoder.encode([{ runs: [run], texts: use }]).messages as WorkMessage[];
      for (const key of message!.forgotten) known.delete(key);
      for (const [key] of message!.fresh) known.add(key);
      return [...known];
    };
    const keys = (from: number, to: number) => texts.slice(from, to).map(({ key }) => key);
    expect(held(texts.slice(0, 2))).toEqual(keys(0, 2));
    expect(held(texts.slice(1, 3))).toEqual(keys(0, 3));
    for (const text of texts) held([text]);
    expect(held([texts[36]!])).toEqual(keys(36, 100));
    // The one just used stays longest; all of a job are there even if they are more than are kept.
    expect(held([texts[0]!])).toEqual([...keys(36, 37), ...keys(38, 100), ...keys(0, 1)]);
    expect(held(texts).sort()).toEqual(keys(0, 100).sort());
  });

  it('sends what jobs of a batch share with the first job', () => {
    const texts = [shareBoc(Buffer.from('a')), shareBoc(Buffer.from('b'))];
    const jobs = texts.map((text) => ({ runs: [run], texts: [text] }));
    const messages = createWorkEncoder(NO_LIMITS).encode(jobs).messages as WorkMessage[];
    expect(messages.map(({ fresh }) => fresh.map(([key]) => key))).toEqual([texts.map(({ key }) => key), []]);
  });

  it('asks for another thread after so many runs or so much memory', () => {
    const reply = (runs: number, memoryBytes: number) => ({
      replies: Array(runs).fill({ type: 'refused', text: '' }),
      memoryBytes,
    });
    const encoder = createWorkEncoder({ maxRuns: 3, maxMemoryBytes: 2000 });
    expect(encoder.wearOf!(reply(2, 2000))).toBeUndefined();
    expect(encoder.wearOf!(reply(0, 2001))).toBe('memory');
    expect(encoder.wearOf!(reply(1, 1000))).toBe('runs');
  });
});
