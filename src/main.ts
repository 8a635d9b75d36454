#!/usr/bin/env node
// The oldest version that runs it; `engines` in package.json says the same.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`tongate: needs Node 22.18 or newer, this is ${process.version}\n`);
  process.exitCode = 1;
} else {
  // Small buffers share a slab that lives as long as any of them. With the default of 64 KiB, hashes in caches kept
  // hundreds of megabytes alive.
  Buffer.poolSize = 8192;
  // Loaded after the check: an older version would fail with an error of the language.
  const { runProgram } = await import('./cli/run-program.ts');
  await runProgram(process.argv.slice(2));
}
