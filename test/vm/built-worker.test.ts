import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildFiles } from '../support/build-files.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const folder = makeTemporaryDirectory('built-vm');
afterAll(() => removeTemporaryDirectory(folder));

it('the virtual machine of a build runs its threads from JavaScript', () => {
  buildFiles(folder, ['src/vm/vm.ts', 'src/vm/worker/vm-worker.ts']);
  const program = join(folder, 'program.js');
  writeFileSync(
    program,
    `import { createVm } from './src/vm/vm.js';
     const log = { info() {}, warn() {}, error() {} };
     const vm = createVm({ log, threads: 2 });
     await vm.warm();
     console.log(JSON.stringify(vm.state()));
     await vm.close();`,
  );
  const out = execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 120_000 });
  expect(JSON.parse(out)).toEqual({ threads: 2, busy: 0, queued: 0 });
});

it('idle threads of the virtual machine do not keep a process alive', () => {
  const program = `import { createVm } from '${new URL('../../src/vm/vm.ts', import.meta.url)}';
    const vm = createVm({ log: { info() {}, warn() {}, error() {} }, threads: 1 });
    await vm.warm();
    console.log('done');`;
  const options = { encoding: 'utf8', timeout: 120_000 } as const;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], options);
  expect(out).toBe('done\n');
});
