import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isProcessAlive, ownProcessName } from '../../lib/process-identity.ts';

/** A name for the owner of claims: the machine, a name of its own, the process. */
export function newOwnerName(): string {
  return `${hostname()} ${randomUUID().slice(0, 8)} ${ownProcessName()}`;
}

/** Whether an owner was a process of this machine that has ended; of others nothing is known. */
export function isOwnerGone(owner: string): boolean {
  const [host, , ...process] = owner.split(' ');
  return host === hostname() && process.length > 0 && !isProcessAlive(process.join(' '));
}
