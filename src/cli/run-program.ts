import { exitProcess, isLookingUp } from '../observe/exit-process.ts';
import { runCommand } from './commands.ts';

/** Runs the command of the arguments as the program of this process, and sets its exit code. */
export async function runProgram(args: readonly string[]): Promise<void> {
  // Readers leave early, terminals are closed, disks get full: a server goes on, and a command finishes what it does.
  let lost: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error) => {
    lost = error;
  });
  process.stderr.on('error', () => {});
  const code = await runCommand(args);
  process.exitCode = code;
  // Without a code it runs until a signal.
  if (code === undefined) return;
  process.on('exit', () => {
    // Nobody misses what `head` does not read.
    if (lost === undefined || lost.code === 'EPIPE' || process.exitCode !== 0) return;
    process.stderr.write(`tongate: Writing to standard output failed: ${lost.message}\n`);
    process.exitCode = 1;
  });
  if (isLookingUp()) process.stdout.write('', () => exitProcess(code));
}
