import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { plainEnvironment } from '../support/tongate-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Compiles everything, which takes half a minute.
test.runIf(isLongRun)(
  'the packed package runs and holds nothing but the program',
  async () => {
    const folder = makeTemporaryDirectory('package');
    try {
      const [packed] = JSON.parse(
        execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
          cwd: root,
          encoding: 'utf8',
          maxBuffer: 2 ** 26,
        }),
      );
      const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
      const others = paths.filter(
        (path) => !/^(?:dist|dist-web|docs\/operate|deploy|examples|openapi)\//.test(path),
      );
      expect(others.sort()).toEqual([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'docs/benchmarks.md',
        'docs/compat.md',
        'docs/exchanges.md',
        'docs/streaming.md',
        'docs/use-from-code.md',
        'docs/web.md',
        'docs/webhooks.md',
        'package.json',
      ]);
      expect(paths).toContain('dist/src/v2/examples/blocks.json');
      expect(paths).toContain('dist-web/index.html');
      for (const path of [
        'deploy/databases.sql',
        'examples/deposit-watcher/deposit-watcher.mjs',
        'openapi/v3.json',
      ])
        expect(paths).toContain(path);
      execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder]);
      // The packages of this checkout stand in for an installation.
      const installed = join(folder, 'node_modules/tongate');
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(join(folder, 'package'), installed);
      symlinkSync(join(root, 'node_modules'), join(folder, 'package/node_modules'));
      const { bin, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
      const program = join(installed, bin.tongate);
      expect(existsSync(program)).toBe(true);
      const run = (...args: string[]) =>
        spawnSync(process.execPath, [program, ...args], { env: plainEnvironment(), encoding: 'utf8' });
      expect(run('version').stdout.trim()).toBe(version);
      expect(run('help').stdout).toContain('Usage: tongate <command>');
      // An invalid setting stops it with one clear line.
      const refused = spawnSync(process.execPath, [program, 'start'], {
        env: { ...plainEnvironment(), PORT: 'x' },
        encoding: 'utf8',
      });
      expect(refused.status).toBe(1);
      expect(refused.stderr).toContain('PORT');
    } finally {
      await removeTemporaryDirectory(folder);
    }
  },
  300_000,
);
