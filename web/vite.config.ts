import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { routes } from './routes.ts';

const outDir = join(import.meta.dirname, '../dist-web');

/** Adds what the server needs beside the files: the paths of pages, and packed forms of assets. */
function serverFiles(): Plugin {
  return {
    name: 'tongate-server-files',
    generateBundle() {
      const paths = routes.map(({ path }) => path);
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(paths) });
    },
    writeBundle({ dir }) {
      const folder = join(dir!, 'assets');
      for (const name of readdirSync(folder).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
        const bytes = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the pages work below any path; the server sets <base>.
  base: './',
  // Not in node_modules, which may be read-only or shared.
  cacheDir: join(outDir, '../dist-web/.vite'),
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  plugins: [serverFiles()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // Data URLs would need exceptions in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
