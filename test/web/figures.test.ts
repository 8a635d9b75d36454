import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../web/show/figures.ts';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));

describe('numbers of pages', () => {
  it('have narrow spaces between groups of three digits, and a point before decimals', () => {
    expect([0, 999, 1000, 1234567].map((number) => formatNumber(number))).toEqual([
      '0',
      '999',
      '1\u202f000',
      '1\u202f234\u202f567',
    ]);
    expect(formatNumber(-12345.678, 2)).toBe('-12\u202f345.68');
  });

  it('are written in one place', () => {
    const writers = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(
      (path) => /\.tsx?$/.test(path) && readFileSync(join(WEB, path), 'utf8').includes('.toLocaleString('),
    );
    expect(writers).toEqual(['show/figures.ts']);
  });
});
