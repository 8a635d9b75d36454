import { readFileSync, statSync } from 'node:fs';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SUFFIX = '_FILE';
/** A longer file is not a secret: a log, a disk image, `/dev/zero`. */
const MAX_BYTES = 65_536;

/** The variable that names the file of a secret. */
export function fileVariable(name: string): string {
  return `${name}${SUFFIX}`;
}

/** The environment with the secrets that are in files, and what is wrong with them. */
export interface SecretFiles {
  readonly env: Environment;
  readonly problems: readonly string[];
}

/**
 * Reads secrets from files, as Docker, Kubernetes and systemd provide them: `DATABASE_URL_FILE` names the file of
 * `DATABASE_URL`. Other users and child processes cannot see a file as they can see an environment variable.
 */
export function readSecretFiles(env: Environment, names: readonly string[]): SecretFiles {
  const read: Record<string, string | undefined> = { ...env };
  const problems: string[] = [];
  for (const name of names) {
    const variable = fileVariable(name);
    const path = env[variable]?.trim();
    if (!path) continue;
    if (env[name]?.trim()) {
      problems.push(`${name} and ${variable} are both set: expected one of them`);
      continue;
    }
    const result = readSecret(path);
    if ('text' in result) read[name] = result.text;
    else
      problems.push(
        `${variable} is ${JSON.stringify(path)}: expected a file with the secret, ${result.problem}`,
      );
  }
  return { env: read, problems };
}

function readSecret(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { problem: 'this is not a file' };
    if (stat.size > MAX_BYTES) return { problem: `this one has ${stat.size} bytes, more than ${MAX_BYTES}` };
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: 'this one is empty' } : { text };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: REASONS[code ?? ''] ?? `this one cannot be read (${message})` };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is none',
  ENOTDIR: 'there is none',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};
