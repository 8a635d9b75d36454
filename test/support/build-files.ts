import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Compiles files and their imports to a folder like the build does, without type checks. Paths are relative to the root
 * of the project.
 */
export function buildFiles(folder: string, files: readonly string[]): void {
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
