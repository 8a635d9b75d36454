import { existsSync } from 'node:fs';

const LOOK_UPS: readonly string[] = ['GetAddrInfoReqWrap', 'GetNameInfoReqWrap'];

/** Whether the system is looking up the name or the address of a host for this process. */
export function isLookingUp(): boolean {
  return process.getActiveResourcesInfo().some((name) => LOOK_UPS.includes(name));
}

/**
 * Exits with a code. `process.exit` waits for the threads of look-ups, which a name server that does not respond holds for
 * as long as the system's resolver tries: minutes.
 */
export function exitProcess(code: number): never {
  // Last of all listeners, so that the log is flushed before.
  process.on('exit', leaveLookUps);
  process.exit(code);
}

/** Another program in the place of this one takes nothing along but its process id, and exits with the code. */
function leaveLookUps(code: number): void {
  if (!isLookingUp()) return;
  const { execPath } = process;
  // Without its file, as after an upgrade, `execve` would end in a core dump.
  if (process.execve !== undefined && existsSync(execPath))
    process.execve(execPath, [execPath, '-e', `process.exitCode = ${code}`], {});
  process.kill(process.pid, 'SIGKILL');
}
