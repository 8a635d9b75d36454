import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const MAX_FIRST_PAGE_BYTES = 300_000;
const BUILD_MS = 300_000;

describe('built pages', () => {
  let folder = '';
  beforeAll(async () => {
    folder = makeTemporaryDirectory('web');
    // Vite takes the environment of the tests for that of development.
    const { NODE_ENV } = process.env;
    process.env.NODE_ENV = 'production';
    await build({
      configFile: join(root, 'web/vite.config.ts'),
      configLoader: 'native',
      mode: 'production',
      logLevel: 'error',
      build: { outDir: folder },
    });
    process.env.NODE_ENV = NODE_ENV;
  }, BUILD_MS);
  afterAll(() => removeTemporaryDirectory(folder));

  it('are current in this checkout (npm run build:web)', () => {
    const names = (of: string) => readdirSync(join(of, 'assets')).toSorted();
    expect(names(join(root, 'dist-web'))).toEqual(names(folder));
  });

  it('need less than 300 kB for the first page', () => {
    const packed = (name: string) => gzipSync(readFileSync(join(folder, name))).length;
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(first.length).toBeGreaterThan(1);
    // All pages together are below it.
    const all = readdirSync(join(folder, 'assets')).filter((name) => /\.(?:js|css)$/.test(name));
    const bytes = all.reduce((sum, name) => sum + packed(`assets/${name}`), packed('index.html'));
    expect(bytes).toBeLessThan(MAX_FIRST_PAGE_BYTES);
  });

  it('have packed forms of every asset, and no map of the sources', () => {
    const files = readdirSync(join(folder, 'assets'));
    for (const file of files.filter((name) => /\.(?:js|css)$/.test(name)))
      expect(files).toEqual(expect.arrayContaining([`${file}.gz`, `${file}.br`]));
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
  });
});
