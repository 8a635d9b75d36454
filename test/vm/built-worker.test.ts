import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, expect, it } from 'vitest';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = makeTemporaryDirectory('built-vm');
afterAll(() => removeTemporaryDirectory(folder));

/** Writes the JavaScript of files and what they import as the build does; other checks look at the types. */
function build(...files: readonly string[]): void {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const compilerOptions = { ...options, noEmit: false, module: ts.ModuleKind.ESNext };
  const seen = new Set(files);
  for (const file of seen) {
    const source = readFileSync(join(root, file), 'utf8');
    const { outputText } = ts.transpileModule(source, { fileName: file, compilerOptions });
    const target = join(folder, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
    for (const [, path] of outputText.matchAll(/from ["'](\..*)\.js["']/g))
      seen.add(`${join(dirname(file), path!)}.ts`);
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

it('a build runs its threads from JavaScript', () => {
  build('src/vm/create-vm.ts', 'src/vm/worker/vm-worker.ts');
  const program = join(folder, 'program.js');
  writeFileSync(
    program,
    `import { createVm } from './src/vm/create-vm.js';
     const log = { info() {}, warn() {}, error() {} };
     const vm = createVm({ log, threads: 2 });
     await vm.warm();
     console.log(JSON.stringify(vm.state()));
     await vm.close();`,
  );
  const out = execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 });
  expect(JSON.parse(out)).toEqual({ threads: 2, busy: 0, queued: 0 });
});

it('a program that is done ends although its threads were never closed', () => {
  const program = `import { createVm } from '${new URL('../../src/vm/create-vm.ts', import.meta.url)}';
    const vm = createVm({ log: { info() {}, warn() {}, error() {} }, threads: 1 });
    await vm.warm();
    console.log('done');`;
  const options = { encoding: 'utf8', timeout: 60_000 } as const;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], options);
  expect(out).toBe('done\n');
});
