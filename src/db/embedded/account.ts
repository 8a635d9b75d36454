import { readFileSync, statSync } from 'node:fs';

/** The operating-system user that PostgreSQL runs under. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: Account = { name: 'nobody', uid: 65534, gid: 65534 };

/**
 * PostgreSQL refuses to run as root. Undefined for an ordinary user, who runs it as himself; for root the
 * owner of the data there is, else the system's user for PostgreSQL, else nobody.
 */
export function chooseAccount(existingCluster: string | undefined): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = systemUsers();
  if (existingCluster !== undefined) {
    const { uid, gid } = statSync(existingCluster);
    if (uid !== 0) return { name: users.find((user) => user.uid === uid)?.name ?? `uid ${uid}`, uid, gid };
  }
  return find(users, 'postgres') ?? find(users, 'nobody') ?? NOBODY;
}

function find(users: readonly Account[], name: string): Account | undefined {
  return users.find((user) => user.name === name && user.uid !== 0);
}

function systemUsers(): Account[] {
  let passwd = '';
  try {
    passwd = readFileSync('/etc/passwd', 'utf8');
  } catch {
    // An image without user names still has user numbers.
  }
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
