import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeTemporaryDirectory, removeTemporaryDirectory } from './temporary-directory.ts';

/**
 * Returns what makes a command run in a network of its own, where the system asks a name server at 127.0.0.1 and waits
 * for it longer than any test runs; undefined on a machine that cannot do it.
 */
export function onStuckNameServer(): ((command: readonly string[]) => readonly string[]) | undefined {
  const dir = makeTemporaryDirectory('name-server');
  onTestFinished(() => removeTemporaryDirectory(dir));
  const config = join(dir, 'resolv.conf');
  writeFileSync(config, 'nameserver 127.0.0.1\noptions timeout:30 attempts:5\n');
  const wrap = (command: readonly string[]) => [
    ...['unshare', '--map-root-user', '--mount', '--net', 'sh', '-c'],
    'mount --bind "$0" /etc/resolv.conf && ip link set lo up && exec "$@"',
    ...[config, ...command],
  ];
  const [file = '', ...args] = wrap(['true']);
  return spawnSync(file, args).status === 0 ? wrap : undefined;
}
